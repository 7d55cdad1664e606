import { dependencyRecipes } from "./dependency-recipes.ts";
import { measurementRecipes } from "./measurement-recipes.ts";
import { pastRecipes } from "./past-recipes.ts";
import type { Recipe } from "./recipe.ts";
import { scannerRecipes } from "./scanner-recipes.ts";

/** By the headings of docs/recipes.md. */
export const recipes: Readonly<Record<string, Recipe>> = {
  ...scannerRecipes,
  ...dependencyRecipes,
  ...measurementRecipes,
  ...pastRecipes,
};

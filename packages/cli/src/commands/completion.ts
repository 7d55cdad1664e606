import { Argument } from "commander";
import { addExamples, type CommandModule } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";

/**
 * The script of each shell. It asks the program for proposals, and proposes files if there are none. They are written here,
 * because the bash script of the library `@bomb.sh/tab` (0.0.22) runs a `$(…)` that stands on the line, and proposes no files.
 */
const scripts: Readonly<Record<string, string>> = {
  bash: `_maturity() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done \\
    < <(maturity __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -o bashdefault -F _maturity maturity
`,
  zsh: `#compdef maturity
_maturity() {
  local -a found
  found=("\${(@f)$(maturity __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _maturity maturity
`,
  fish: `function __maturity
  set -l words (commandline -opc) (commandline -ct)
  set -l found (maturity __complete $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c maturity -f -a '(__maturity)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName maturity -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -eq '') { $words += '' }
  maturity __complete $words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
};

/** `maturity completion`: prints the script that a shell loads. The script calls `maturity __complete`. */
export const completion: CommandModule = {
  define(command) {
    command
      .description("Prints the completion script of a shell.")
      .addArgument(new Argument("<shell>", "which one").choices(Object.keys(scripts)));
    addExamples(command, [
      ["in ~/.bashrc", 'eval "$(maturity completion bash)"'],
      ["in ~/.zshrc, behind compinit", 'eval "$(maturity completion zsh)"'],
      ["in ~/.config/fish/config.fish", "maturity completion fish | source"],
      ["in the profile of PowerShell", "maturity completion powershell | Out-String | Invoke-Expression"],
    ]);
  },

  async run([shell = ""], _, context, output) {
    context.stdout.write(scripts[shell] ?? "");
    output.done();
    return exitCodes.done;
  },
};

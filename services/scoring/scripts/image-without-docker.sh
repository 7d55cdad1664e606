#!/usr/bin/env bash
# Builds the image where there is no Docker and no registry of images, and starts it as a cluster would. As root:
#
#   apt-get install buildah mmdebstrap && services/scoring/scripts/image-without-docker.sh
#
# buildah carries out the Dockerfile as it stands, in what is committed. Only its two base images are others: a Debian with
# the same version of Node, which npm's registry has. So what the real ones hold, and musl of Alpine, is not tried.
# With --write its figures, rounded up, go into the pages.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"
dockerfile=services/scoring/deploy/Dockerfile
work=$(mktemp -d)
container='' process=''
buildah() { command buildah --storage-driver vfs --root "$work/images" --runroot "$work/run" "$@"; }
finish() {
  [ -z "$process" ] || kill -KILL "$process" 2>/dev/null || true
  [ -z "$container" ] || buildah umount "$container" >/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

echo "# base: Debian with the Node of $dockerfile"
node=$(sed -nE 's/^FROM node:([0-9.]+)-alpine.*/\1/p' $dockerfile)
mmdebstrap --quiet --variant=essential --include=ca-certificates,libstdc++6 "${DEBIAN_RELEASE:-bookworm}" "$work/base.tar"
mkdir -p "$work/base/usr/local"
npm install --silent --no-audit --no-fund --prefix "$work/node" "node@$node" npm@11
cp -RL "$work/node/node_modules/node" "$work/base/usr/local/node"
cp -R "$work/node/node_modules/npm" "$work/base/usr/local/npm"
cat >"$work/base/Dockerfile" <<'END'
FROM scratch
ADD base.tar /
COPY usr/local /usr/local/lib/node_modules/
RUN cd /usr/local/bin && mv ../lib/node_modules/node/bin/node . && ln -s ../lib/node_modules/npm/bin/npm-cli.js npm
RUN echo node:x:1000: >>/etc/group && echo node:x:1000:1000::/home/node:/bin/sh >>/etc/passwd && mkdir /home/node
END
[ -z "${NODE_EXTRA_CA_CERTS:-}" ] || echo "ENV NODE_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS" >>"$work/base/Dockerfile"
mv "$work/base.tar" "$work/base/"
buildah bud --quiet --isolation chroot --tag base "$work/base" >/dev/null

echo "# build: $dockerfile of HEAD"
git clone --quiet . "$work/repository"
sed -E 's/^FROM .*node:\S+/FROM localhost\/base/' $dockerfile >"$work/Dockerfile"
# How npm reaches its registry here, for the build alone.
mounts=()
for file in /etc/npmrc /usr/local/etc/npmrc "$HOME/.npmrc" "${NODE_EXTRA_CA_CERTS:-}"; do
  [ -z "$file" ] || [ ! -e "$file" ] || mounts+=(--volume "$file:$file:ro")
done
SECONDS=0
buildah bud --quiet --format docker --isolation chroot "${mounts[@]}" --ignorefile $dockerfile.dockerignore \
  --file "$work/Dockerfile" --tag maturity-service "$work/repository" >/dev/null
echo "built in $SECONDS s"

container=$(buildah from maturity-service)
root=$(buildah mount "$container")
# A part of what the image says, each item of a list on a line of its own.
says() {
  buildah inspect --type image maturity-service |
    node -e 'const all = JSON.parse(require("fs").readFileSync(0, "utf8")).Docker.config; console.log([all[process.argv[1]]].flat().join("\n"))' "$1"
}
user=$(says User)
table=$'| what | time | memory or size |\n|---|---|---|\n'
table+="| the service and what it needs, $(find "$root/app" -type f | wc -l) files | – | $(du -sm "$root/app" | cut -f1) MiB |"$'\n'
echo "# files: $(du -sm "$root/app" | cut -f1) MiB in $(find "$root/app" -type f | wc -l) files; user $user"
[ "${user%%:*}" = 1000 ]
[ -z "$(find "$root/app" -name '*.node' -print -quit)" ] || { echo "there is a program of one platform in /app"; exit 1; }

echo "# start: as that user, without new rights, the root read-only, /data writable"
mkdir -p "$work/data" "$root/data"
chown 1000:1000 "$work/data"
port=$(node -e 'const server = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(server.address().port); server.close(); })')
mapfile -t environment < <(says Env | grep -v ^NODE_EXTRA_CA_CERTS=)
mapfile -t entrypoint < <(says Entrypoint)
mapfile -t health < <(node -e 'const all = JSON.parse(require("fs").readFileSync(0, "utf8")).Docker.config; console.log(all.Healthcheck.Test.slice(1).join("\n"))' < <(buildah inspect --type image maturity-service))
directory=$(says WorkingDir)
# Runs a command of the image as process 1 of a container that shares the network alone.
inside() {
  exec env -i PATH="$PATH" unshare --mount --pid --fork --kill-child=SIGKILL sh -ec '
    root=$1 data=$2 directory=$3
    shift 3
    mount --bind "$root" "$root"
    mount --bind "$data" "$root/data"
    mount -o remount,bind,ro "$root"
    mount -t proc proc "$root/proc"
    exec setpriv --no-new-privs chroot --userspec=1000:1000 "$root" sh -ec "cd $directory; exec env -i \"\$@\"" sh "$@"
  ' sh "$root" "$work/data" "$directory" "${environment[@]}" HOST=127.0.0.1 PORT="$port" DATABASE_URL=pglite:/data/maturity "$@"
}
for start in first second; do
  begun=$(date +%s%N)
  (inside "${entrypoint[@]}") >"$work/log" 2>&1 &
  process=$!
  until curl -sf "http://127.0.0.1:$port/healthz" >/dev/null; do
    kill -0 "$process" 2>/dev/null || { cat "$work/log"; exit 1; }
    sleep 0.05
  done
  service=$(pgrep -P "$process")
  took=$((($(date +%s%N) - begun) / 1000000)) memory=$(awk '/VmRSS/ { print int($2 / 1024) }' "/proc/$service/status")
  tenths=$(((took + 99) / 100))
  table+="| the $start start | $((tenths / 10)).$((tenths % 10)) s | $(((memory + 9) / 10 * 10)) MiB |"$'\n'
  echo "$start start: $took ms to /healthz; $memory MiB of memory; user $(awk '/^Uid/ { print $2 }' "/proc/$service/status")"
  (inside "${health[@]}") && echo "the health check of the image passes"
  kill -TERM "$service"
  wait "$process" && echo "SIGTERM ends it with 0"
  process=''
done
if (inside "${health[@]}"); then echo "the health check passes though nothing listens"; exit 1; fi
echo "the health check fails once nothing listens"
[ "${1:-}" != --write ] || node scripts/figures.ts --record image "services/scoring/scripts/image-without-docker.sh --write" <<<"$table"

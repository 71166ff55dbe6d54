#!/usr/bin/env bash
# Builds the image where no container registry can be reached: its bases are made of Debian's packages, and of the Node and npm of
# this machine. Needs root, `npm ci`, and the packages buildah and mmdebstrap. Arguments are passed on to buildah, such as
# --isolation=chroot where it cannot start containers.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What debian:12-slim leaves out, too.
left_out=()
for folder in doc man locale info; do left_out+=("--dpkgopt=path-exclude=/usr/share/$folder/*"); done
mmdebstrap --variant=essential --include=passwd,libstdc++6,usr-is-merged "${left_out[@]}" \
  --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr bookworm "$work/base.tar"
printf 'FROM scratch\nADD base.tar /\n' | buildah bud "$@" --tag localhost/svc-base --file - "$work"

mkdir -p "$work/usr/lib"
cp -rL "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$work/usr/lib/npm"
cp -L node_modules/.bin/node "$work/node"
cp -L /etc/ssl/certs/ca-certificates.crt "$work/"
buildah bud "$@" --tag localhost/svc-build --file - "$work" <<'END'
FROM localhost/svc-base
COPY node /usr/bin/node
COPY usr/lib/npm /usr/lib/npm
COPY ca-certificates.crt /etc/ssl/certs/
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/npm/bin/npm-cli.js /usr/bin/npm
END

# The format of OCI has no health check.
buildah bud "$@" --format=docker --build-arg BUILD=localhost/svc-build --build-arg BASE=localhost/svc-base --tag localhost/svc .

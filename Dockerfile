# docker build -t svc . && docker run -it --name svc -p 3003:3003 -v svc:/data svc
#
# BUILD needs npm. BASE needs glibc, libstdc++ and a shell: the release brings its own Node and Postgres.
ARG BUILD=node:24-slim
ARG BASE=debian:12-slim

FROM ${BUILD} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc .link-node.cjs ./
RUN npm ci
COPY . .
RUN npm run --silent release -- /svc

FROM ${BASE}
# Postgres wants to know its user by name. The compiled code in the release is offered to this user ID.
RUN useradd --uid 3003 --home-dir /data --shell /usr/sbin/nologin svc \
  && install --directory --owner=svc --group=svc --mode=0700 /data \
  && ln -s /svc/svc /usr/local/bin/svc
COPY --from=build /svc /svc
ENV PATH=/svc/node_modules/.bin:/usr/local/bin:/usr/bin:/bin \
  NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3003 \
  SVC_DATA_DIR=/data
USER 3003:3003
WORKDIR /svc
VOLUME /data
EXPOSE 3003
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=4", "core/start.js"]

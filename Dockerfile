# The program in an image: docker build --tag vitrine . ; compose.yaml runs it as collector and server.
# NODE is the base of both stages. RUNTIME needs neither a shell nor npm, such as gcr.io/distroless/nodejs24-debian12.
ARG NODE=node:24-slim
ARG RUNTIME=$NODE

# On the machine's own platform: what is built is the same for all.
FROM --platform=$BUILDPLATFORM $NODE AS build
WORKDIR /source
COPY .npmrc package.json package-lock.json ./
COPY cli/build/prepare.mjs cli/build/
RUN npm ci
COPY . .
# The package as published: one folder, without dependencies. The directory is made here, because the last stage runs nothing.
RUN npm run build && mkdir /snapshots

FROM $RUNTIME
COPY --from=build /source/package /vitrine
# A new volume takes over the owner.
COPY --from=build --chown=65532:65532 /snapshots /var/lib/vitrine
# PORT is set, so that the health check asks the port that is listened on, whatever the settings file says.
ENV PATH=$PATH:/usr/local/bin:/nodejs/bin NODE_ENV=production HOST=0.0.0.0 PORT=3000 SNAPSHOTS=/var/lib/vitrine
# How hints name a command outside of the container: by node, because a base may have no /usr/bin/env for a name in PATH.
ENV TYPED_AS="docker exec CONTAINER node /vitrine/dist/vitrine.mjs | start, serve: docker compose up --detach --force-recreate"
# Where vitrine.config.json is mounted.
WORKDIR /etc/vitrine
USER 65532:65532
EXPOSE 3000
VOLUME /var/lib/vitrine
# /startupz is 200 once the store has answered, and from then on: a platform that waits for it stops no server for one that has no
# facts. Not /readyz: it is 503 as soon as one fact is stale, and a restart makes no fact fresh.
# By http, and each half minute: loading fetch costs more than an idle server.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "require('http').get({ host: '127.0.0.1', port: process.env.PORT, path: '/startupz', timeout: 4e3 }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('timeout', () => process.exit(1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "/vitrine/dist/vitrine.mjs"]
CMD ["start"]

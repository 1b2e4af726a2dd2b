# Interject for a server: console, gateway and built-in worlds, as a user that is not root. docs/install.md says how to run it.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN node scripts/tarball.mjs
WORKDIR /app
RUN echo '{"private":true}' > package.json \
  && npm install --omit=optional --ignore-scripts --no-audit --no-fund /source/dist/interject-*.tgz \
  && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src node_modules/openai/src \
  && find node_modules/better-sqlite3/prebuilds -type f ! -name 'linux-*' -delete

FROM node:24.21.0-bookworm-slim
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production INTERJECT_HOME=/data XDG_CONFIG_HOME=/data/config XDG_CACHE_HOME=/tmp
USER node
WORKDIR /data
VOLUME /data
# The console and every door of the gateway.
EXPOSE 4747
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4747/').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/interject/bin/interject.mjs"]
CMD ["serve", "--host", "0.0.0.0", "--port", "4747", "--no-open"]

# cosession serve: see docs/deploy.md
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Not `npm ci`, as in scripts/setup.js: it requires the binaries of every platform in the lock file. No package needs its
# install script: native packages ship their binary.
RUN --mount=type=cache,target=/tmp/npm npm install --cache /tmp/npm --no-save --ignore-scripts
COPY scripts ./scripts
COPY src ./src
COPY tsconfig.json LICENSE ./
RUN npm run build

# What the built program needs at run time. A server runs on the core that is bundled: the Gemini CLI itself, a terminal
# program, stays behind.
FROM node:24.21.0-bookworm-slim AS modules
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/tmp/npm npm install --cache /tmp/npm --no-save --omit=dev --ignore-scripts \
 && rm -rf node_modules/@google/gemini-cli

FROM node:24.21.0-bookworm-slim
# What coding agents expect to find.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git ripgrep \
 && rm -rf /var/lib/apt/lists/* \
 && mkdir /state /workspace \
 && chown node:node /state /workspace
WORKDIR /app
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=modules /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
# So that `docker exec <container> cosession store backup …` works.
RUN chmod +x dist/main.js && ln -s /app/dist/main.js /usr/local/bin/cosession
# On all addresses of the container. Without a token or an issuer the server refuses to start like this.
ENV NODE_ENV=production \
    COSESSION_HOST=0.0.0.0 \
    CODER_AGENT_PORT=41242 \
    CODER_AGENT_WORKSPACE_PATH=/workspace \
    COSESSION_STATE_DIR=/state
USER node
VOLUME ["/state", "/workspace"]
EXPOSE 41242
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://localhost:${process.env.CODER_AGENT_PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and gets the signals itself: SIGTERM lets running turns end.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]

/** What stands in for each package, as CommonJS. */
const replacements = {
  // We read bodies ourselves, with limits (src/server/http-app.ts). The original brings the tables of every charset: 490 kB.
  'body-parser': 'module.exports = {};',
  // The types that a response of ours may have; other types are always written out. The original lists 2,500: 150 kB.
  'mime-db': `module.exports = ${JSON.stringify({
    'application/json': { source: 'iana', charset: 'UTF-8', extensions: ['json'] },
    'application/octet-stream': { source: 'iana', extensions: ['bin'] },
    'text/event-stream': { source: 'iana' },
    'text/html': { source: 'iana', extensions: ['html'] },
    'text/plain': { source: 'iana', extensions: ['txt'] },
  })};`,
};

/** Leaves out of the bundle what Express brings and never uses here. */
export const leanExpress = {
  name: 'lean-express',
  setup(build) {
    build.onResolve({ filter: /^(body-parser|mime-db)$/ }, ({ path }) => ({ path, namespace: 'lean-express' }));
    build.onLoad({ filter: /.*/, namespace: 'lean-express' }, ({ path }) => ({ contents: replacements[path] }));
  },
};

/// <reference types="node" />
// Loaded into the server with `node --import`: it gets SIGTERM in the tick in which it says that it listens.
const { stdout } = process;
const write = stdout.write.bind(stdout);
let wasSent = false;

stdout.write = (/** @type {string | Uint8Array} */ text) => {
  const isWritten = write(text);
  if (!wasSent && String(text).includes('"msg":"listening"')) {
    wasSent = true;
    process.kill(process.pid, 'SIGTERM');
  }
  return isWritten;
};

/** The part of `core-patches.js` that changes the model's client inside core. */
export const modelClientPatches = [
  // For every piece of a reply the client made a `Response` with all headers and read it as a stream, and parsed the piece
  // once in vain: more than half of the CPU time of a turn. With every read it searched all of an event that was not
  // complete yet for its end: 5 s of CPU time for one of 10 MB.
  {
    file: /@google\/genai\/dist\/node\/index\.mjs$/,
    changes: [
      [
        `                let buffer = '';
                while (true) {
                    const { done, value } = yield __await(reader.read());
                    if (done) {
                        if (buffer.trim().length > 0) {`,
        `                let buffer = '';
                let seam = '';
                const headers = Object.fromEntries(response.headers.entries());
                while (true) {
                    const { done, value } = yield __await(reader.read());
                    if (done) {
                        if (buffer.trim().length > 0) {`,
      ],
      [
        `                        const chunkJson = JSON.parse(chunkString);
                        if ('error' in chunkJson) {`,
        `                        // Events begin with "data:"; only an error is a bare object.
                        const chunkJson = /^\\s*\\{/.test(chunkString) ? JSON.parse(chunkString) : {};
                        if ('error' in chunkJson) {`,
      ],
      [
        `                            const partialResponse = new Response(processedChunkString, {
                                headers: response === null || response === void 0 ? void 0 : response.headers,
                                status: response === null || response === void 0 ? void 0 : response.status,
                                statusText: response === null || response === void 0 ? void 0 : response.statusText,
                            });
                            yield yield __await(new HttpResponse(partialResponse));`,
        `                            yield yield __await({ headers, json: async () => JSON.parse(processedChunkString) });`,
      ],
      [
        `                    buffer += chunkString;
                    let match = buffer.match(responseLineRE);`,
        `                    buffer += chunkString;
                    const fresh = seam + chunkString;
                    seam = fresh.slice(-3);
                    let match = /\\n\\n|\\r\\r|\\r\\n\\r\\n/.test(fresh) ? buffer.match(responseLineRE) : null;`,
      ],
    ],
  },
  // `fetch` turns the 50 KB of a request into a stream, copies them twice, and reads the reply through a second stream: a tenth
  // of the CPU time of a turn. Below it is the same client, with the same proxy, timeouts and connections. This asks it
  // directly, with the headers and errors of `fetch`.
  {
    file: /@google\/genai\/dist\/node\/index\.mjs$/,
    changes: [
      [
        `import { GoogleAuth } from 'google-auth-library';`,
        `import { STATUS_CODES } from 'node:http';
import { pipeline } from 'node:stream';
import * as zlib from 'node:zlib';
import { request as sendRequest } from 'undici';
import { GoogleAuth } from 'google-auth-library';`,
      ],
      [
        `    async streamApiCall(url, requestInit, httpMethod) {
        return this.apiCall(url.toString(), Object.assign(Object.assign({}, requestInit), { method: httpMethod }))`,
        `    async streamApiCall(url, requestInit, httpMethod) {
        return this.sendForStream(url, { ...requestInit, method: httpMethod })`,
      ],
      [
        `    processStreamResponse(response) {
        var _a;`,
        `    async sendForStream(url, requestInit) {
        const { method, headers, body, signal } = requestInit;
        const sent = {
            accept: '*/*',
            'accept-language': '*',
            'sec-fetch-mode': 'cors',
            'accept-encoding': url.protocol === 'https:' ? 'br, gzip' : 'gzip',
            ...Object.fromEntries(headers.entries()),
        };
        let reply;
        try {
            reply = await sendRequest(url, { method, headers: sent, body, signal });
        }
        catch (error) {
            const why = signal?.aborted ? signal.reason : new TypeError('fetch failed');
            throw new Error(\`exception \${why} sending request\`, { cause: error });
        }
        const { statusCode: status } = reply;
        if ([301, 302, 303, 307, 308].includes(status)) {
            reply.body.on('error', () => {}).destroy();
            return this.apiCall(url.toString(), { ...requestInit, body: body.toString() });
        }
        const fields = new Headers();
        for (const [name, value] of Object.entries(reply.headers))
            for (const each of [value].flat()) fields.append(name, each);
        const reader = readerOf(decoded(reply.body, fields.get('content-encoding')), signal);
        if (status >= 200 && status < 300)
            return { ok: true, status, headers: fields, body: { getReader: () => reader } };
        const chunks = [];
        for (let next = await reader.read(); !next.done; next = await reader.read()) chunks.push(next.value);
        return new Response(Buffer.concat(chunks), { status, statusText: STATUS_CODES[status] ?? '', headers: fields });
    }
    processStreamResponse(response) {
        var _a;`,
      ],
      [
        `async function throwErrorIfNotOK(response) {`,
        `function decoded(body, codings) {
    if (!codings) return body;
    const whole = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
    const brotli = { flush: zlib.constants.BROTLI_OPERATION_FLUSH, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };
    const decoders = {
        gzip: () => zlib.createGunzip(whole),
        'x-gzip': () => zlib.createGunzip(whole),
        br: () => zlib.createBrotliDecompress(brotli),
    };
    const makers = codings.toLowerCase().split(',').map((coding) => decoders[coding.trim()]).reverse();
    return makers.includes(undefined) ? body : pipeline(body, ...makers.map((make) => make()), () => {});
}
function readerOf(body, signal) {
    // It is told to whoever reads.
    body.on('error', () => {});
    const pieces = body[Symbol.asyncIterator]();
    return {
        async read() {
            try {
                return await pieces.next();
            }
            catch (error) {
                throw signal?.aborted ? signal.reason : new TypeError('terminated', { cause: error });
            }
        },
        releaseLock: () => void body.destroy(),
    };
}
async function throwErrorIfNotOK(response) {`,
      ],
    ],
  },
];

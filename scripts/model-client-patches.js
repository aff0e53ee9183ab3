import { fileURLToPath } from 'node:url';

const replyEvents = fileURLToPath(new URL('../src/engine/headless/core/reply-events.ts', import.meta.url));

/** The part of `core-patches.js` that changes the model's client inside core. */
export const modelClientPatches = [
  // `fetch` turns the 50 KB of a request into a stream, copies them twice, and reads the reply through a second stream: a tenth
  // of the CPU time of a turn. Below it is the same client, with the same proxy, timeouts and connections. This asks it
  // directly, with the headers and errors of `fetch`. For every piece of a reply the client made a `Response` with all headers and
  // read it as a stream, and parsed the piece once in vain: more than half of the CPU time of a turn. Our own code reads it.
  {
    file: /@google\/genai\/dist\/node\/index\.mjs$/,
    changes: [
      [
        `import { GoogleAuth } from 'google-auth-library';`,
        `import { STATUS_CODES } from 'node:http';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { request as sendRequest } from 'undici';
import { ReplyEvents } from ${JSON.stringify(replyEvents)};
import { GoogleAuth } from 'google-auth-library';`,
      ],
      [
        `    async streamApiCall(url, requestInit, httpMethod) {
        return this.apiCall(url.toString(), Object.assign(Object.assign({}, requestInit), { method: httpMethod }))`,
        `    async streamApiCall(url, requestInit, httpMethod) {
        return this.sendForStream(url, { ...requestInit, method: httpMethod })`,
      ],
      [
        `            return this.processStreamResponse(response);
        })`,
        `            const { headers, body } = response;
            if (!body) throw new Error('Response body is empty');
            const { signal, onEvent } = requestInit;
            const bytes = body instanceof Readable ? body : Readable.fromWeb(body);
            return new ReplyEvents(bytes, { headers, signal, onEvent, errorIn: apiErrorIn });
        })`,
      ],
      [
        `        requestInit = await this.includeExtraHttpOptionsToRequestInit(requestInit, patchedHttpOptions, url.toString(), request.abortSignal);
        return this.streamApiCall(`,
        `        requestInit = await this.includeExtraHttpOptionsToRequestInit(requestInit, patchedHttpOptions, url.toString(), request.abortSignal);
        requestInit.onEvent = request.onEvent;
        return this.streamApiCall(`,
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
        const bytes = decoded(reply.body, fields.get('content-encoding'));
        // Whoever reads it gets the error.
        bytes.on('error', () => {});
        if (status >= 200 && status < 300) return { ok: true, headers: fields, body: bytes };
        const text = await buffer(bytes).catch((error) => {
            throw signal?.aborted ? signal.reason : new TypeError('terminated', { cause: error });
        });
        return new Response(text, { status, statusText: STATUS_CODES[status] ?? '', headers: fields });
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
// It is a bare object; events begin with "data:".
function apiErrorIn(text) {
    if (!/^\\s*\\{/.test(text)) return undefined;
    try {
        const json = JSON.parse(text);
        const { status, code } = json.error ?? {};
        const message = \`got status: \${status}. \${JSON.stringify(json)}\`;
        return code >= 400 && code < 600 ? new ApiError({ message, status: code }) : undefined;
    }
    catch {
        return undefined;
    }
}
async function throwErrorIfNotOK(response) {`,
      ],
    ],
  },
];

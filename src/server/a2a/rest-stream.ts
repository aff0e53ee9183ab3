import type { Request, Response } from 'express';
import { toAppError } from '../../domain/errors.js';
import { EventStream } from '../event-stream.js';
import type { Connection } from './connection.js';
import type { Form } from './form.js';
import { toA2AHttpError } from './http-error.js';
import { eventWriter } from './stream-writer.js';

/** The SDK's HTTP+JSON transport writes the head and the first event of a stream; from there on it is ours. */
export function takeOverStream(request: Request, response: Response, connection: Connection, form: Form<string>): void {
  const write = response.write.bind(response);
  const writeFirst = (chunk: unknown): boolean => {
    Object.assign(response, { write });
    const out = new EventStream(response, () => {});
    connection.writer = {
      ...eventWriter(out, form),
      // The SDK would print it on the console, which is the user's terminal here.
      fail(error) {
        out.send(undefined, JSON.stringify(bodyOf(error, request)), 'error');
        out.flush();
      },
    };
    return write(`id: ${connection.seq}\n${String(chunk)}`);
  };
  response.write = writeFirst;
}

function bodyOf(error: unknown, { method, baseUrl, path }: Request): object | undefined {
  return toA2AHttpError(toAppError(error), { method, path: `${baseUrl}${path}` })?.body;
}

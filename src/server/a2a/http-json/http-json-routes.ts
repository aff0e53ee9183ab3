import { type RequestHandler, Router } from 'express';
import { AppError } from '../../../domain/errors.js';
import { checkShape, createPushShape, sendShape } from '../calls/params-shape.js';
import type { Operations } from '../operations/operations.js';
import { routesV03 } from './routes-v03.js';
import { routesV1 } from './routes-v1.js';

/** HTTP+JSON of both versions. A path that v0.3 does not have is read as v1.0, even without a header. */
export function httpJsonRoutes(operations: Operations): Router {
  return Router().use(checkBody, routesV03(operations), routesV1(operations));
}

/** The protocol buffer code accepts any input or crashes on it, so the body is checked first. */
const checkBody: RequestHandler = ({ path, body }, _response, next) => {
  const given: unknown = body;
  if (given === undefined || given === null) return next();
  if (typeof given !== 'object' || Array.isArray(given))
    throw new AppError('bad-request', 'the body must be a JSON object');
  if (/\/message:(?:send|stream)$/.test(path)) checkShape(sendShape, given);
  else if (path.endsWith('/pushNotificationConfigs')) checkShape(createPushShape, given);
  next();
};

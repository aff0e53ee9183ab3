import { Router } from 'express';
import { type Api, asyncApi, openApi } from '../api-documents.js';

/** The API as machines read it; made when asked for, since hardly anybody asks. */
export function apiDocumentRoutes(version: string, url: string, api: Api): Router {
  const router = Router();
  router.get('/openapi.json', (_request, response) => void response.json(openApi(version, url, api)));
  router.get('/asyncapi.json', (_request, response) => void response.json(asyncApi(version, new URL(url).host)));
  return router;
}

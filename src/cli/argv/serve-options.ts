import { UsageError } from '../../util/usage-error.js';
import { type ServeFlags, serveFlags } from './serve-flags.js';
import { checkTlsFlags } from './tls-flags.js';
import { defined } from '../../util/defined.js';

/** The options of a server, as its operator set them. */
export type ServeOptions = ReturnType<typeof serveOptions>;

/** Applies the rules between flags, and the defaults that depend on the environment. */
export function serveOptions(flags: ServeFlags, env: NodeJS.ProcessEnv, folder: string) {
  const { demo, store, workspace, trust, leaseMs } = flags;
  checkTlsFlags(flags);
  return {
    ...flags,
    workspace: workspace ?? folder,
    store: store ?? defaultStore(env, demo),
    // People start demos in repositories they have just cloned.
    trust: demo ? 'none' : trust,
    leaseMs: leaseMs || serveFlags.leaseMs.default * 1000,
    oidc: oidcOf(flags),
  };
}

/** The default store is the bucket, if one is set as for the Gemini CLI's own server. A demo leaves nothing behind. */
export function defaultStore(env: NodeJS.ProcessEnv, demo: boolean): string {
  if (demo) return 'memory:';
  const bucket = env['A2A_GCS_BUCKET'] || env['GCS_BUCKET_NAME'];
  return bucket ? `gcs://${bucket}` : 'sqlite:';
}

function oidcOf({ oidcIssuer: issuer, oidcAudience: audience, ...flags }: ServeFlags) {
  if (issuer === undefined) return undefined;
  if (audience === undefined)
    throw new UsageError('--oidc-issuer needs --oidc-audience: tokens for other audiences are rejected');
  if (!URL.canParse(issuer)) throw new UsageError(`--oidc-issuer must be a URL, got "${issuer}"`);
  const { oidcJwks: jwksUrl, oidcScopeClaim: scopeClaim, oidcScopePrefix: scopePrefix } = flags;
  return {
    issuer,
    audience,
    ...defined({ jwksUrl, scopeClaim, scopePrefix }),
  };
}

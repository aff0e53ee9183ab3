import { UsageError } from '../../util/usage-error.js';
import type { ServeFlags } from './serve-flags.js';
import { checkTlsFlags } from './tls-flags.js';
import { defined } from '../../util/defined.js';

/** The options of a server, as its operator set them. */
export type ServeOptions = ReturnType<typeof serveOptions>;

/** Applies the rules between flags, and the defaults that depend on the environment. */
export function serveOptions(flags: ServeFlags, env: NodeJS.ProcessEnv, folder: string) {
  const { demo, store, workspace, trust, leaseMs } = flags;
  checkTlsFlags(flags);
  checkClusterFlags(flags);
  return {
    ...flags,
    workspace: workspace ?? folder,
    store: store ?? defaultStore(env, demo),
    // People start demos in repositories they have just cloned.
    trust: demo ? 'none' : trust,
    leaseMs: leaseMs || (flags.cluster === undefined ? 30_000 : 6000),
    oidc: oidcOf(flags),
  };
}

function checkClusterFlags(flags: ServeFlags): void {
  const { cluster, clusterCreds, clusterCa, sealKey, mayBringMcp, pinnedRoots } = flags;
  if (cluster === undefined && pinnedRoots.length > 0) throw new UsageError('--pinned-root needs --cluster');
  const file = clusterCreds === undefined ? clusterCa && '--cluster-ca' : '--cluster-creds';
  if (cluster === undefined && file) throw new UsageError(`${file} needs --cluster`);
  if (cluster !== undefined && sealKey === undefined)
    throw new UsageError(
      '--cluster needs --seal-key <file>, the same on all servers; create it with: openssl rand -base64 32 > seal.key',
    );
  if (cluster !== undefined && mayBringMcp)
    throw new UsageError(
      '--allow-client-mcp does not work with --cluster: they are programs on one machine, with secrets that only their client has, and the next server to run the task would have neither',
    );
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

import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { defined } from '../../util/defined.js';

/** What a server shows to its callers, and whose certificates it asks them for. */
export type TlsFiles = {
  /** The certificate and those above it, as PEM. */
  readonly cert: string;
  readonly key: string;
  /** Callers may identify themselves with certificates of these authorities. */
  readonly clientCa?: string;
};

/** The TLS of one server, the same for all its ports. */
export type TlsIdentity = {
  readonly files: TlsFiles;
  /** The server's own certificate, as PEM. */
  readonly certificate: string;
  /** The SHA-256 of the certificate, for people who compare it. */
  readonly fingerprint: string;
  readonly asksForCertificates: boolean;
  /** Calls back when the files were replaced. Connections that are open stay open. Returns the undo. */
  onChange(listener: () => void): () => void;
  close(): void;
};

/** Throws if the files do not belong together or cannot be used. */
export function checkFiles({ cert, key, clientCa }: TlsFiles): X509Certificate {
  createSecureContext({ cert, key, ...defined({ ca: clientCa }) });
  return new X509Certificate(cert);
}

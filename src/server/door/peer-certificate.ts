import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../auth/client-certificate.js';

/** The certificate that the other end has shown, if an authority that we trust has signed it. */
export function certificateOf(socket: TLSSocket): { readonly certificate?: ClientCertificate } {
  // Node also calls a connection authorized that resumes a session without any certificate.
  const shown = socket.authorized ? socket.getPeerX509Certificate() : undefined;
  if (!shown) return {};
  const { subject } = shown.toLegacyObject();
  const [name = ''] = listOf(subject.CN);
  return { certificate: { name, units: listOf(subject.OU), validTo: new Date(shown.validTo) } };
}

/** Node returns an array if the subject has an attribute more than once, which its types do not know. */
function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

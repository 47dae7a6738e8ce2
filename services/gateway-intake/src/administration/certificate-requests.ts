import { invalidParameters, type RequestOutput, ServiceError } from '@order-automation/contracts';
import { certificateProblem, walletCertificate } from '../gateways/wallet/certificates';
import type { Parts } from './parts';

type CertificateRecord = RequestOutput<'intake.certificate.list.v1'>['certificates'][number];

export function listCertificates({ certificates, trust, clock }: Parts): CertificateRecord[] {
  return certificates.all().map((certificate) => {
    const { id, leaf, source } = certificate;
    return {
      id,
      subject: leaf.subject.replaceAll('\n', ', '),
      issuer: leaf.issuer.replaceAll('\n', ', '),
      valid_from: new Date(leaf.validFrom).toISOString(),
      valid_to: new Date(leaf.validTo).toISOString(),
      source,
      problem: certificateProblem(certificate, trust(), clock.now()) ?? null,
    };
  });
}

/** Loads a certificate; one that proves nothing now is loaded too, and the answer says why. */
export async function addCertificate(parts: Parts, id: string, pem: string): Promise<CertificateRecord> {
  if (!/^[A-Za-z0-9._-]{1,200}$/.test(id))
    throw invalidParameters([{ path: 'id', message: 'must be the id under which the wallet names the certificate' }]);
  try {
    walletCertificate(id, pem);
  } catch {
    const message = 'must be a certificate in PEM form, with its intermediates behind it';
    throw invalidParameters([{ path: 'pem', message }]);
  }
  const added = await parts.certificates.add(id, pem, parts.clock.now());
  if (!added) throw invalidParameters([{ path: 'id', message: 'is the id of another certificate; delete that first' }]);
  const record = listCertificates(parts).find((one) => one.id === id);
  if (!record) throw unknownCertificate(id);
  return record;
}

export async function deleteCertificate({ certificates }: Parts, id: string) {
  if (!(await certificates.remove(id))) throw unknownCertificate(id);
  return { deleted: true as const };
}

function unknownCertificate(id: string): ServiceError {
  return new ServiceError(404, 'svc_certificate_not_found', 'No certificate of this id was loaded.', { id });
}

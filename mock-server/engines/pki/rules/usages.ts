/** The names of key usages, in lower case, and how certificates encode them. */

/** The bit numbers of the key usage extension. */
export const keyUsages: Readonly<Record<string, number>> = {
  digitalsignature: 0,
  contentcommitment: 1,
  nonrepudiation: 1,
  keyencipherment: 2,
  dataencipherment: 3,
  keyagreement: 4,
  certsign: 5,
  keycertsign: 5,
  crlsign: 6,
  encipheronly: 7,
  decipheronly: 8,
}

/** A CA certificate signs certificates and lists. */
export const caKeyUsages: readonly number[] = [5, 6]

export const extKeyUsages: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  serverauth: '1.3.6.1.5.5.7.3.1',
  clientauth: '1.3.6.1.5.5.7.3.2',
  codesigning: '1.3.6.1.5.5.7.3.3',
  emailprotection: '1.3.6.1.5.5.7.3.4',
  ipsecendsystem: '1.3.6.1.5.5.7.3.5',
  ipsectunnel: '1.3.6.1.5.5.7.3.6',
  ipsecuser: '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  ocspsigning: '1.3.6.1.5.5.7.3.9',
  microsoftservergatedcrypto: '1.3.6.1.4.1.311.10.3.3',
  netscapeservergatedcrypto: '2.16.840.1.113730.4.1',
  microsoftcommercialcodesigning: '1.3.6.1.4.1.311.2.1.22',
  microsoftkernelcodesigning: '1.3.6.1.4.1.311.61.1.1',
}

/** The extended key usages that each flag of a role adds. */
export const flagUsages: Readonly<
  Record<'server_flag' | 'client_flag' | 'code_signing_flag' | 'email_protection_flag', readonly string[]>
> = {
  server_flag: ['serverauth'],
  client_flag: ['clientauth'],
  code_signing_flag: ['codesigning'],
  email_protection_flag: ['emailprotection'],
}

/** These rules say who may call each endpoint (document 2, Authentication). */

export type Access = 'anyone' | 'token' | 'sudo'

const rows = {
  readCa: 'anyone',
  readCaPem: 'anyone',
  readCaChain: 'anyone',
  readCertificate: 'anyone',
  listCertificates: 'token',
  configCa: 'token',
  readConfigCrl: 'token',
  configCrl: 'token',
  readConfigUrls: 'token',
  configUrls: 'token',
  readCrl: 'anyone',
  readCrlPem: 'anyone',
  rotateCrl: 'token',
  generateIntermediate: 'token',
  setSigned: 'token',
  issue: 'token',
  sign: 'token',
  signVerbatim: 'token',
  revoke: 'token',
  writeRole: 'token',
  readRole: 'token',
  listRoles: 'token',
  deleteRole: 'token',
  generateRoot: 'token',
  deleteRoot: 'sudo',
  signIntermediate: 'token',
  /** The document describes it as extremely privileged. */
  signSelfIssued: 'sudo',
  tidy: 'token',
} satisfies Record<string, Access>

export type EndpointId = keyof typeof rows
export const access: Readonly<Record<EndpointId, Access>> = rows

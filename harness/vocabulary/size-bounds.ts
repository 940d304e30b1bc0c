/** The bounds on the size of everything that a target sends, so that no target makes the process exceed 512 MB. The page
 * harness/bounds.md is made from this table and from that of the bounds on time. */

export interface Bound {
  readonly what: string
  readonly value: number
  readonly unit: 's' | 'replies' | 'bytes' | 'characters' | 'levels' | 'items' | 'pixels'
  readonly why: string
}

const kib = 1024
const mib = 1024 * kib

export const sizeBounds = {
  replyBody: {
    what: 'the body of a reply',
    value: 8 * mib,
    unit: 'bytes',
    why: 'a list of 100 000 certificates has 6 MB',
  },
  decodedBody: {
    what: 'the body of a compressed reply, after decompression',
    value: mib,
    unit: 'bytes',
    why: 'no request asks for compression, and a small reply can expand a thousandfold',
  },
  contentCodings: {
    what: 'content codings of a reply, one within the other',
    value: 2,
    unit: 'items',
    why: 'a server and a proxy may each apply one',
  },
  headerBytes: {
    what: 'names and values of the headers of a reply',
    value: 32 * kib,
    unit: 'bytes',
    why: 'servers send less than 2 KiB, and Node itself reads 16',
  },
  headers: { what: 'headers of a reply', value: 256, unit: 'items', why: 'proxies reject more than about 100' },
  largeReply: {
    what: 'the body of a reply that checks receive side by side; larger bodies are received by one check at a time',
    value: 256 * kib,
    unit: 'bytes',
    why: 'a parsed body takes several times its size, and eight checks run at once',
  },
  smallReply: {
    what: 'the body of a reply that any number of checks receive side by side',
    value: 16 * kib,
    unit: 'bytes',
    why: 'nearly all replies are smaller',
  },
  bodiesInFlight: {
    what: 'all bodies between these two sizes that are received at the same time',
    value: 4 * mib,
    unit: 'bytes',
    why: '`--jobs` may be high; beyond this bound, replies wait for each other',
  },
  jobs: {
    what: 'checks at the same time with `--jobs`',
    value: 64,
    unit: 'items',
    why: 'each check keeps what it received until it ends',
  },
  adaptedJobs: {
    what: 'checks at the same time without `--jobs`: on a distant target, or while others only wait for time to pass',
    value: 32,
    unit: 'items',
    why: 'at 100 ms per reply this is 320 requests a second, fewer than eight checks send to a nearby target',
  },
  jsonDepth: {
    what: 'nesting of JSON that is parsed',
    value: 200,
    unit: 'levels',
    why: 'walking a deeper value could exhaust the stack, and the documented replies have five levels',
  },
  jsonValues: {
    what: 'values in JSON that is parsed',
    value: 500_000,
    unit: 'items',
    why: 'two bytes of text can become an object of fifty bytes',
  },
  savedValue: {
    what: 'a value of a reply that a later request repeats',
    value: 16 * kib,
    unit: 'characters',
    why: 'ids, tokens and serial numbers are shorter, and each later URL would contain it',
  },
  keptForRecord: {
    what: 'bodies that a check keeps for its record',
    value: 4 * mib,
    unit: 'bytes',
    why: 'they are redacted at the end of the check, when all its secrets are known',
  },
  keptForRecords: {
    what: 'bodies that all checks running at the same time keep for their records',
    value: 32 * mib,
    unit: 'bytes',
    why: 'this allows eight checks the bound above; what does not fit is recorded without its body',
  },
  recordedBody: {
    what: 'a body in the results',
    value: 64 * kib,
    unit: 'characters',
    why: 'people do not read longer ones',
  },
  recordedText: {
    what: 'a URL, a header or a finding in the results',
    value: 4 * kib,
    unit: 'characters',
    why: 'people do not read longer ones',
  },
  recordedHeaders: {
    what: 'all headers of a message in the results',
    value: 16 * kib,
    unit: 'characters',
    why: 'servers send less than 2 KiB',
  },
  recordedRun: {
    what: 'exchanges of a run in the results, in full',
    value: 20 * mib,
    unit: 'characters',
    why: 'all suites together would record 30 MB on a conformant server, and the rest is recorded in brief',
  },
  recordedReserve: {
    what: 'further exchanges in full, of checks that did not pass',
    value: 3 * mib,
    unit: 'characters',
    why: 'readers look at these',
  },
  recordedBrief: {
    what: 'further exchanges without bodies and headers',
    value: 6 * mib,
    unit: 'characters',
    why: 'readers still see address and status of these exchanges',
  },
  secretsOfReply: {
    what: 'secrets of one reply that are redacted elsewhere',
    value: 256,
    unit: 'items',
    why: 'a reply with more is hostile or a dump; its body is not recorded',
  },
  secretLength: {
    what: 'a secret that is redacted elsewhere',
    value: 64 * kib,
    unit: 'characters',
    why: 'keys and pictures of keys are shorter; a body with a longer one is not recorded',
  },
  secretsLearnt: {
    what: 'secrets of a run that are redacted',
    value: 8000,
    unit: 'items',
    why: 'pki, policies and mfa-identity together find 1 600; beyond this bound, nothing that a target sends is recorded',
  },
  secretCharacters: {
    what: 'all secrets of a run that are redacted, together',
    value: 3 * mib,
    unit: 'characters',
    why: 'pki, policies and mfa-identity together find 480 000, and a server on which hundreds of checks differ, so that they are judged again, finds more than 1 000 000; each secret is searched for in many encodings',
  },
  pictureBytes: {
    what: 'the base64 text of a picture that is decoded',
    value: 512 * kib,
    unit: 'characters',
    why: 'a QR code has 10 KB',
  },
  pictureSide: {
    what: 'width and height of a picture that is decoded',
    value: 1024,
    unit: 'pixels',
    why: 'the largest QR code that a check requests has 600',
  },
  pictures: { what: 'pictures of one reply that are decoded', value: 4, unit: 'items', why: 'one is expected' },
  otpauthUrl: {
    what: 'an `otpauth` URL',
    value: 4 * kib,
    unit: 'characters',
    why: 'the largest key that a check requests has 32 bytes',
  },
  certificate: {
    what: 'a certificate, a CSR or a key',
    value: 64 * kib,
    unit: 'bytes',
    why: 'the largest that a check requests has 4 KB',
  },
  revocationList: {
    what: 'a CRL',
    value: mib,
    unit: 'bytes',
    why: 'the suites revoke a few certificates per mount; this is enough for 25 000',
  },
  asnDepth: {
    what: 'nesting of DER',
    value: 32,
    unit: 'levels',
    why: 'a certificate has ten; decoders recurse for each level',
  },
  asnElements: {
    what: 'elements of a DER structure',
    value: 100_000,
    unit: 'items',
    why: 'a decoder creates several objects for each',
  },
  pemBlocks: {
    what: 'PEM blocks of one reply that are read',
    value: 64,
    unit: 'items',
    why: 'certificates are compared with each other',
  },
  resultFile: {
    what: 'a `result.json` that is read',
    value: 64 * mib,
    unit: 'bytes',
    why: 'a run writes less than 20 MB',
  },
  resultDepth: { what: 'nesting of a `result.json`', value: 64, unit: 'levels', why: 'a run writes ten levels' },
  yamlFile: { what: 'a profile, or a list of accepted findings', value: mib, unit: 'bytes', why: 'people write them' },
  namedFile: {
    what: 'a certificate, a key, a token or another small file that a flag or a profile names',
    value: mib,
    unit: 'bytes',
    why: 'the certificates of all public authorities have 220 KB',
  },
} as const satisfies Readonly<Record<string, Bound>>

/** The steps that prepare CAs below other CAs: bundles to submit, and a CSR that the suite signs. */
import { bundleOf, certified, certifiedRequest, chainBundle } from '../../../fixtures/pki/authorities.ts'
import { testKeys } from '../../../fixtures/pki/keys.ts'
import { signingRequest } from '../../../fixtures/pki/signing-requests.ts'
import { isSuccess } from '../../../harness/vocabulary/index.ts'
import { action } from '../../records.ts'
import { pemBlocks } from '../judge/der.ts'
import { configCa, generateIntermediate, generateRoot, made, requestSigned, rootMade } from './given.ts'

const certificatePems = (text: string): readonly string[] =>
  pemBlocks(text).flatMap((block) => (block.label === 'CERTIFICATE' ? [block.text] : []))

/** An authority of the suite, `{middle}`, signs a CSR of the mount; a root of the suite, `{top}`, has signed that
 * authority. The new certificate is `{signed}`. It is not yet set as the certificate of the mount's CA. */
export const csrSignedBelow = (authorityKeyId = true) =>
  action(
    `an authority below our own root signs a CSR of the mount: \`signed\` is the certificate, \`middle\` the authority, \`top\` the root${authorityKeyId ? '' : ', both without ids of the keys that sign'}`,
    { touches: [generateIntermediate()], provides: ['signed', 'middle', 'top'] },
    async (scope) => {
      const top = await certified({ name: 'top.example', key: 'ecAuthority', authorityKeyId })
      const middle = await certified({ name: 'middle.example', key: 'ecIntermediate', issuer: top, authorityKeyId })
      scope.save('top', top.certificate)
      scope.save('middle', middle.certificate)
      scope.save('signed', await requestSigned(await scope.send(generateIntermediate()), middle))
    },
  )

/** A bundle with an RSA key; the keys of the other bundles are EC. */
export const submittedRsa = made('bundle', 'a bundle of an intermediate with an RSA key, and that key', async () => {
  const top = await certified({ name: 'top.example', key: 'ecAuthority' })
  const request = await signingRequest({ key: 'rsa2048', commonName: 'intermediate.example' })
  return `${testKeys.rsa2048}${await certifiedRequest(request, 'intermediate.example', top)}${top.certificate}`
})

/** Extra certificates may follow in any order, and two paths are no line of authorities. */
export const submittedOnTwoPaths = made(
  'bundle',
  'a bundle of an intermediate, its key, and two paths above it: to another root, which has signed its root, and to its root',
  async () => {
    const other = await certified({ name: 'other.example', key: 'ecOther' })
    const above = { name: 'top.example', key: 'ecAuthority' } as const
    const [top, crossed] = [await certified(above), await certified({ ...above, issuer: other })]
    const own = await certified({ name: 'intermediate.example', key: 'ecIntermediate', issuer: top })
    return bundleOf(own, crossed, other, top)
  },
)

/** A bundle of an intermediate and the root above it. The certificate of the root is saved under the name `top`. */
export const submittedChain = (as = 'bundle', top = 'top') =>
  action(
    `\`${as}\` is a bundle of an intermediate, its key and the root above it, \`${top}\``,
    { provides: [as, top] },
    async (scope) => {
      const bundle = await chainBundle()
      scope.save(as, bundle)
      scope.save(top, certificatePems(bundle).at(-1) ?? '')
    },
  )

/** A bundle of an intermediate, the authority above it, `{middle}`, and the root above that, `{top}`. */
export const submittedLongChain = action(
  '`bundle` is a bundle of an intermediate, its key, the authority above it, `middle`, and the root above that, `top`',
  { provides: ['bundle', 'middle', 'top'] },
  async (scope) => {
    const top = await certified({ name: 'top.example', key: 'ecAuthority' })
    const middle = await certified({ name: 'middle.example', key: 'ecOther', issuer: top })
    const own = await certified({ name: 'intermediate.example', key: 'ecIntermediate', issuer: middle })
    scope.save('top', top.certificate)
    scope.save('middle', middle.certificate)
    scope.save('bundle', bundleOf(own, middle, top))
  },
)

/** A root that has expired, or, if the target takes none, a generated one; its certificate is `{ca}`. */
export const expiredRoot = action(
  'an expired root is submitted, or one is generated if it is refused; its certificate is `ca`',
  { touches: [configCa('expired'), generateRoot()], provides: ['expired', 'ca'] },
  async (scope) => {
    const own = await certified({ name: 'expired.example', key: 'ecAuthority', notAfter: new Date('2021-01-01') })
    scope.save('expired', bundleOf(own))
    if (isSuccess(await scope.send(configCa('expired')))) scope.save('ca', own.certificate)
    else await scope.perform(rootMade(generateRoot()))
  },
)

export const foreign = made('foreign', 'a CA certificate for another key', async () => {
  return (await certified({ name: 'intermediate.example', key: 'ecOther' })).certificate
})

import type { MfaRules } from '../rules.ts'
import type { Settings } from '../store.ts'

/** Returns the URL that authenticators are set up with. The label is `<issuer>:<entity>`. */
export function otpauthUrl(
  settings: Settings,
  entity: string,
  secret: string,
  { parameters, encode }: MfaRules['url'],
): string {
  const label = parameters.includes('issuer') ? [settings.issuer, entity] : [entity]
  const query = [...parameters.map((name) => [name, String(settings[name])] as const), ['secret', secret] as const]
  const pairs = query.map(([name, value]) => `${name}=${encode(value)}`)
  return `otpauth://totp/${label.map(encode).join(':')}?${pairs.join('&')}`
}

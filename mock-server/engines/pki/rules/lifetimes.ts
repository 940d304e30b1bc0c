/** These rules decide how long certificates are valid (document 2, Role ttl and max_ttl, the ttl of each request, and
 * Limits). All lifetimes are in seconds. */

export interface Terms {
  /** The lifetime of the role; 0 if it has none. */
  readonly roleTtl: number
  readonly roleMax: number
  /** The lifetimes of the mount, or else of the system. */
  readonly systemDefault: number
  readonly systemMax: number
}

export interface Lifetime {
  unasked(terms: Terms): number
  /** Returns the lifetime if the request has the given `ttl`. */
  asked(ttl: number, terms: Terms): number
  /** Whether a certificate that would outlive the signing CA is allowed, refused or capped. */
  readonly beyondCa: 'allowed' | 'refused' | 'capped'
}

const unset = (seconds: number): number => seconds || Number.POSITIVE_INFINITY
/** The maximum of the role and that of the system both apply. */
const bounded = (ttl: number, { roleMax, systemMax }: Terms): number => Math.min(ttl, unset(roleMax), systemMax)

const ofCa = (beyondCa: Lifetime['beyondCa']): Lifetime => ({
  unasked: ({ systemDefault, systemMax }) => Math.min(systemDefault, systemMax),
  asked: (ttl, { systemMax }) => Math.min(ttl, systemMax),
  beyondCa,
})

export const lifetimes: Readonly<Record<'leaf' | 'root' | 'intermediate', Lifetime>> = {
  leaf: {
    unasked: (terms) => bounded(terms.roleTtl || terms.systemDefault, terms),
    asked: bounded,
    beyondCa: 'refused',
  },
  root: ofCa('allowed'),
  intermediate: ofCa('allowed'),
}

/** The validity of a CA certificate begins this many seconds before its issue. */
export const caBackdating = 30

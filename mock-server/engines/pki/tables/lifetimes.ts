/** How long certificates live (document 2, Role ttl and max_ttl, the ttl of each request, and Limits). All in seconds. */

export interface Terms {
  /** Of the role; 0: not said. */
  readonly roleTtl: number
  readonly roleMax: number
  /** Of the mount, else of the system. */
  readonly systemDefault: number
  readonly systemMax: number
}

export interface Lifetime {
  /** Where the request asks for none. */
  unasked(terms: Terms): number
  /** Where it asks for `ttl`. */
  asked(ttl: number, terms: Terms): number
  /** From when on a lifetime is counted. */
  readonly from: 'issue' | 'not-before'
  /** What becomes of a certificate that would outlive the CA that signs it. */
  readonly beyondCa: 'allowed' | 'refused' | 'capped'
}

const unset = (seconds: number): number => seconds || Number.POSITIVE_INFINITY
/** Not above the role's maximum, nor the system's. */
const bounded = (ttl: number, { roleMax, systemMax }: Terms): number => Math.min(ttl, unset(roleMax), systemMax)

const ofCa = (beyondCa: Lifetime['beyondCa']): Lifetime => ({
  unasked: ({ systemDefault, systemMax }) => Math.min(systemDefault, systemMax),
  asked: (ttl, { systemMax }) => Math.min(ttl, systemMax),
  from: 'issue',
  beyondCa,
})

export const lifetimes: Readonly<Record<'leaf' | 'root' | 'intermediate', Lifetime>> = {
  leaf: {
    unasked: (terms) => bounded(terms.roleTtl || terms.systemDefault, terms),
    asked: bounded,
    from: 'issue',
    beyondCa: 'refused',
  },
  root: ofCa('allowed'),
  intermediate: ofCa('allowed'),
}

/** Seconds by which certificates of a CA begin before they are made. */
export const caBackdating = 30

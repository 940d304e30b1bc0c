/** Optional parts of the APIs, each by itself: a server may have some of a newer form and not the rest (readings of the
 * documents, 59). A profile may declare a form, which says the same of all parts of its subject. */
import { didYouMean, nearest } from '../select/nearest.ts'
import type { Facts, Presence } from '../vocabulary/index.ts'
import schema from './profile.schema.json' with { type: 'json' }

const { forms, features } = schema.properties.declared.properties

export type Features = Readonly<Record<string, Presence>>

/** Every optional part that checks tell apart, in the order of the documents. */
export const knownFeatures: readonly string[] = Object.keys(features.properties)

export const knownForms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(forms.properties).map(([subject, { enum: shapes }]) => [subject, shapes]),
)

/** Says why there is no such form, and what may be meant; undefined where there is. */
export function faultOfForm(subject: string, shape: string): string | undefined {
  const shapes = knownForms[subject]
  const subjects = Object.keys(knownForms)
  if (!shapes)
    return `there is no subject "${subject}"${didYouMean(nearest(subject, subjects), `; known are ${subjects.join(', ')}`)}`
  if (shapes.includes(shape)) return undefined
  return `${subject} has no form "${shape}": known are ${shapes.join(', ')}`
}

/** The subject of a feature: `cloud` of `cloud.static-roles`. */
export const subjectOf = (feature: string): string => feature.split('.')[0] ?? feature

const presences: Readonly<Record<string, Presence>> = {
  newer: 'served',
  served: 'served',
  older: 'absent',
  absent: 'absent',
}

/** Returns what forms say of the features of their subjects. */
export function featuresOfForms(shapes: Readonly<Record<string, string>> = {}): Features {
  return Object.fromEntries(
    knownFeatures.flatMap((name) => {
      const presence = presences[shapes[subjectOf(name)] ?? '']
      return presence === undefined ? [] : [[name, presence]]
    }),
  )
}

/** Declared facts, completed by observed ones. A feature that is declared by its name outweighs what was seen of it, and
 * what was seen outweighs a form, which speaks of many features at once. */
export function knownFacts(declared: Facts, observed: Facts = {}): Facts {
  const { forms, features: named, ...rest } = declared
  const features = { ...featuresOfForms(forms), ...observed.features, ...named }
  const { features: _, ...seen } = observed
  return { ...seen, ...rest, ...(Object.keys(features).length > 0 ? { features } : {}) }
}

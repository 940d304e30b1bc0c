/** The optional parts (features) of the APIs. A server may have some features of a newer form and lack others
 * (readings of the documents, 59). A profile may declare a form, which is short for all features of its subject. */

import schema from '../profile/profile.schema.json' with { type: 'json' }
import { didYouMean, nearest } from '../select/nearest.ts'
import type { Facts, Presence } from '../vocabulary/index.ts'

const { forms, features } = schema.properties.declared.properties

export type Features = Readonly<Record<string, Presence>>

/** Every feature that checks distinguish, in the order of the documents. */
export const knownFeatures: readonly string[] = Object.keys(features.properties)

export const knownForms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(forms.properties).map(([subject, { enum: shapes }]) => [subject, shapes]),
)

/** Returns why a form is unknown, with similar names, or undefined if it is known. */
export function faultOfForm(subject: string, shape: string): string | undefined {
  const shapes = knownForms[subject]
  const subjects = Object.keys(knownForms)
  if (!shapes)
    return `unknown subject "${subject}"${didYouMean(nearest(subject, subjects), `; known are ${subjects.join(', ')}`)}`
  if (shapes.includes(shape)) return undefined
  return `${subject} has no form "${shape}": known are ${shapes.join(', ')}`
}

/** Returns the subject of a feature: `cloud` for `cloud.static-roles`. */
export const subjectOf = (feature: string): string => feature.split('.')[0] ?? feature

const presences: Readonly<Record<string, Presence>> = {
  newer: 'served',
  served: 'served',
  older: 'absent',
  absent: 'absent',
}

/** Returns the presence of features that follows from the forms of their subjects. */
export function featuresOfForms(shapes: Readonly<Record<string, string>> = {}): Features {
  return Object.fromEntries(
    knownFeatures.flatMap((name) => {
      const presence = presences[shapes[subjectOf(name)] ?? '']
      return presence === undefined ? [] : [[name, presence]]
    }),
  )
}

/** Returns the declared facts, completed by observed ones. A feature that is declared by name takes precedence over
 * the observed one, and the observed one over a declared form, which is about many features at once. */
export function knownFacts(declared: Facts, observed: Facts = {}): Facts {
  const { forms, features: named, ...rest } = declared
  const features = { ...featuresOfForms(forms), ...observed.features, ...named }
  const { features: _, ...seen } = observed
  return { ...seen, ...rest, ...(Object.keys(features).length > 0 ? { features } : {}) }
}

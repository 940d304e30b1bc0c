/** The forms that a profile may declare, and a reference server may have, by subject: as its schema lists them. */
import { didYouMean, nearest } from '../select/nearest.ts'
import schema from './profile.schema.json' with { type: 'json' }

const { properties } = schema.properties.declared.properties.forms

export const knownForms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(properties).map(([subject, { enum: shapes }]) => [subject, shapes]),
)

/** Why there is no such form, and what may be meant; undefined where there is. */
export function faultOfForm(subject: string, shape: string): string | undefined {
  const shapes = knownForms[subject]
  const subjects = Object.keys(knownForms)
  if (!shapes)
    return `there is no subject "${subject}"${didYouMean(nearest(subject, subjects), `; known are ${subjects.join(', ')}`)}`
  if (shapes.includes(shape)) return undefined
  return `${subject} has no form "${shape}": known are ${shapes.join(', ')}`
}

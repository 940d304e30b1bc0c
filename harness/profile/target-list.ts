/** A profile may list the profiles of several targets instead of describing one. */
import { dirname, resolve } from 'node:path'
import { UsageError } from '../targets/usage-error.ts'
import { assertShape, readYaml } from './yaml-file.ts'

const schema = {
  type: 'object',
  required: ['targets'],
  additionalProperties: false,
  properties: {
    targets: {
      type: 'array',
      minItems: 2,
      items: { type: 'string', minLength: 1, description: 'the path of a profile' },
    },
  },
}

/** Returns the absolute paths of the profiles that a file lists, or undefined if the file describes a target itself.
 * Throws `UsageError` naming file, line and key. */
export function targetsIn(file: string, env: NodeJS.ProcessEnv): readonly string[] | undefined {
  const yaml = readYaml(file, env, new Set())
  if (!isList(yaml.value)) return undefined
  assertShape(yaml, schema)
  const { targets } = yaml.value as { readonly targets: readonly string[] }
  const paths = targets.map((path) => resolve(dirname(file), path))
  for (const [index, path] of paths.entries()) {
    const position = ['targets', index]
    if (paths.indexOf(path) < index)
      throw new UsageError(yaml.fault(position, `"${targets[index]}" is listed twice: remove one of them`))
    if (isList(readYaml(path, env, new Set()).value))
      throw new UsageError(
        yaml.fault(position, `"${targets[index]}" is a list of targets itself: list the profiles that it names`),
      )
  }
  return paths
}

const isList = (value: unknown): boolean => typeof value === 'object' && value !== null && 'targets' in value

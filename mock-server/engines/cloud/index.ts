/** The engine under its name in the documents, and under the one by which clients in the field mount it. */
import type { MountableEngine } from '../../kernel/engine.ts'
import { type CloudServices, createEngine } from './engine.ts'

export { mutants } from './mutants/index.ts'

export const createCloud = (services: CloudServices): MountableEngine => createEngine('cloud', services)
export const createAws = (services: CloudServices): MountableEngine => createEngine('aws', services)

/** All engines of the server, loaded. */
import { createAws, createCloud } from './cloud/index.ts'
import { type Engines, enginesWith } from './list.ts'
import { createPki } from './pki/index.ts'

export type { Engines }

export const engines: Engines = enginesWith({ createPki, createCloud, createAws })

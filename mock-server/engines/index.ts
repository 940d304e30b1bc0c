/** All engines of the server, loaded. */
import { faults } from '../faults/index.ts'
import { createAws, createCloud } from './cloud/index.ts'
import { type Engines, enginesWith } from './list.ts'
import { createPki } from './pki/index.ts'
import { createReplication } from './replication/index.ts'

export type { Engines }

export const engines: Engines = enginesWith({ createPki, createCloud, createAws, createReplication }, () => faults)

/** All legal differences, in the order in which they are played. */
import type { Difference } from '../../harness/vocabulary/index.ts'
import { envelopes } from './envelopes.ts'
import { gateways } from './gateways.ts'
import { lists } from './lists.ts'
import { network } from './network.ts'
import { ofNodes } from './nodes.ts'
import { paths } from './paths.ts'
import { products } from './products.ts'
import { ofReplication } from './replication.ts'
import { replies } from './replies.ts'
import { ofServer } from './server.ts'
import { statuses } from './statuses.ts'
import { tokens } from './tokens.ts'
import { values } from './values.ts'

export const differences: readonly Difference[] = [
  ...[
    statuses,
    envelopes,
    lists,
    values,
    replies,
    tokens,
    network,
    gateways,
    ofNodes,
    ofReplication,
    products,
    paths,
    ofServer,
  ].flat(),
]

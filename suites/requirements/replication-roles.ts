/** What document 1 says of the roles of a cluster: the table of states, its rules, and the endpoints that change a role. */
import { illegalTriggers, isRefusalImplied } from '../replication/states.ts'
import { endpoint, left, limit, must, type Rows, resource, should, transition } from './replication-sources.ts'

const enable = transition('disabled, POST primary/enable')
const join = transition('disabled, POST secondary/enable')
const demote = transition('primary, POST primary/demote')
const disable = transition('primary, POST primary/disable')
const promote = transition('secondary, POST secondary/promote')
const update = transition('secondary, POST secondary/update-primary')
const leave = transition('secondary, POST secondary/disable')
const activation = transition('Activation token')

const mustRows = must({
  'primary-enable.makes-primary': ['primary/enable on a disabled cluster makes it primary.', enable],
  'primary-enable.own-kind': [
    'primary/enable of one kind of replication leaves the state of the cluster in the other as it is.',
    transition('introduction: DR replication, performance replication'),
  ],
  'primary-enable.cluster-addr': [
    'Secondaries connect to the `primary_cluster_addr` of primary/enable.',
    endpoint('POST {prefix}/primary/enable'),
  ],
  'secondary-enable.makes-secondary': [
    'secondary/enable with a valid activation token makes a disabled cluster secondary.',
    join,
  ],
  'secondary-enable.clears-data': ['secondary/enable clears all data in the cluster.', join],
  'secondary-enable.valid-token': [
    'secondary/enable with a token that is not valid changes nothing: the cluster is disabled as before and keeps its data.',
    join,
  ],
  'secondary-enable.api-addr': [
    'The token of secondary/enable is unwrapped at its `primary_api_addr`, whatever address is in the token.',
    endpoint('POST {prefix}/secondary/enable'),
  ],
  'secondary.takes-data': [
    'What the primary holds comes to its secondary, and so does what is written on it later.',
    resource('Replication cluster', 'Attributes: mode, cluster ID, sync progress'),
  ],
  'demote.makes-secondary': ['primary/demote makes a primary secondary.', demote],
  'demote.keeps-cluster-id': ['A demoted primary keeps its cluster id.', demote],
  'demote.connects-to-nothing': ['A demoted primary connects to no primary until update-primary.', demote],
  'demote.rejoins-without-wipe': [
    'A demoted primary can rejoin the same replication set by update-primary, and its storage is not wiped.',
    demote,
  ],
  'primary-disable.makes-disabled': ['primary/disable makes a primary disabled.', disable],
  'primary-disable.cuts-secondaries': [
    'After primary/disable its secondaries can no longer connect: nothing comes to them any more, not even once it is enabled anew.',
    disable,
  ],
  'primary-disable.changes-cluster-id': [
    'A cluster that was primary and disabled has another cluster id once it is enabled again, as primary or secondary.',
    disable,
  ],
  'promote.makes-primary': ['secondary/promote with `force` makes a secondary primary.', promote],
  'promote.force': [
    '`force` promotes a secondary that is out of touch with its primary and behind it.',
    endpoint('POST {prefix}/secondary/promote'),
  ],
  'promote.new-tokens': [
    'A promoted cluster issues activation tokens, by which other secondaries come to it.',
    promote,
  ],
  'promote.cluster-addr': [
    'Secondaries connect to the `primary_cluster_addr` of promote.',
    endpoint('POST {prefix}/secondary/promote'),
  ],
  'update-primary.keeps-role': ['A secondary stays secondary at update-primary.', update],
  'update-primary.changes-primary': [
    'update-primary with a valid activation token connects the secondary to the primary that issued it.',
    update,
  ],
  'update-primary.keeps-data': ['update-primary wipes no data.', update],
  'update-primary.valid-token': [
    'update-primary with a token that is not valid changes nothing: the secondary follows its primary as before.',
    update,
  ],
  'update-primary.blank-forgets': [
    'update-primary with a blank token leaves the cluster secondary, with its data, and without a primary.',
    transition('secondary, POST secondary/update-primary', 2),
  ],
  'update-primary.api-addr': [
    'The token of update-primary is unwrapped at its `primary_api_addr`, whatever address is in the token.',
    endpoint('POST {prefix}/secondary/update-primary'),
  ],
  'secondary-disable.makes-disabled': [
    'secondary/disable makes a secondary disabled.',
    transition('secondary, POST secondary/disable', 1),
  ],
  'secondary-disable.cuts': [
    'After secondary/disable the cluster can no longer connect to the primary: nothing comes to it any more.',
    leave,
  ],
  'secondary-disable.changes-cluster-id': [
    'A cluster that was secondary and disabled has another cluster id once it is enabled again.',
    transition('secondary, POST secondary/disable', 6),
  ],
  'secondary-disable.wipes-when-joining': [
    'A cluster that was secondary and disabled is wiped when it becomes a secondary again.',
    leave,
  ],
  'revoke-secondary.cuts': [
    'revoke-secondary disconnects the secondary of that id at once, and it cannot reconnect without a new token.',
    activation,
  ],
  'revoke-secondary.spares-others': ['revoke-secondary leaves other secondaries connected.', activation],
})

/** The table has no other transitions than these, so that a trigger changes nothing where it is not listed. That the reply
 * is a refusal is implied at most: some servers answer a state change that they refuse with a success and a warning. */
const illegal = illegalTriggers.map(({ state, trigger, id }) => ({ state, trigger, id, row: transition(state) }))
const mustIllegal = must(
  Object.fromEntries(
    illegal.map(({ state, trigger, id, row }) => [
      `${id}-changes-nothing`,
      [`${trigger} changes nothing on a cluster that is ${state}.`, sourceOf(state, trigger) ?? row],
    ]),
  ),
)
const shouldIllegal = should(
  Object.fromEntries(
    illegal
      .filter(isRefusalImplied)
      .map(({ state, trigger, id, row }) => [
        `${id}-refused`,
        [`${trigger} is refused on a cluster that is ${state}.`, sourceOf(state, trigger) ?? row],
      ]),
  ),
)

const shouldRows = should({
  'promote.sound': ['A secondary that is in sync is promoted without `force` once its primary was demoted.', promote],
  // The table states it of update-primary alone; here it is the other half of "without a new token".
  'revoke-secondary.new-token': [
    'A secondary that was revoked comes back to its primary by update-primary with a new activation token.',
    activation,
  ],
  'promote.others-wait': [
    'The other secondaries do not come to a promoted cluster before they are given a new activation token.',
    promote,
  ],
})

const openRows = left({
  'open.safety-checks': [
    'What the safety checks of a promotion look at, and that they fail it.',
    promote,
    'Not stated: promotions that must succeed are forced.',
  ],
  'open.force-loses-data': [
    'Which data a forced promotion loses.',
    endpoint('POST {prefix}/secondary/promote'),
    'It "may" lose data.',
  ],
  'open.one-primary': [
    'That a replication set has one primary at a time.',
    limit('Simultaneous primaries per replication set'),
    'A duty of whoever promotes: what a server does about a second primary is not stated.',
  ],
  'open.ca': [
    'What `ca_file` and `ca_path` have to hold, and that system roots are used without them.',
    endpoint('POST {prefix}/secondary/enable'),
    'Both name files on the host of the secondary, where a client puts none.',
  ],
  'open.configured-addr': [
    'Which address is the configured cluster address.',
    endpoint('POST {prefix}/primary/enable'),
    'Only that secondaries join without `primary_cluster_addr`, which every check does that gives none.',
  ],
  'open.cluster-id-of-a-set': [
    'Whether a cluster that is a secondary again, of the same primary, shows another cluster id.',
    transition('secondary, POST secondary/disable', 6),
    'Where the status of a secondary shows the id of its set, it is the same one.',
  ],
  'open.wipe-of-a-dr-secondary': [
    'That a DR secondary which is not wiped keeps what its new primary does not have.',
    update,
    'It becomes a copy of its primary. That nothing is wiped is seen while the two are out of touch.',
  ],
  'open.pace': [
    'How soon a role takes effect, and how soon data arrives.',
    transition('States and transitions'),
    'Only clearing and revoking are "immediate"; everything else is waited for.',
  ],
})

/** The roles of clusters, for both kinds of replication alike. */
export const roleRows: Rows = { ...mustRows, ...mustIllegal, ...shouldRows, ...shouldIllegal, ...openRows }

/** Where the document says more of an illegal trigger than that it is not listed. */
function sourceOf(state: string, trigger: string) {
  if (state === 'secondary' && trigger === 'primary/enable') return transition('rule 1')
  if (state === 'primary' && trigger === 'primary/enable') return enable
  return undefined
}

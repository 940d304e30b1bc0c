/** What document 1 says of paths filters and dynamic filters. */
import { left, must, performanceEndpoint, type Rows, resource, should } from './replication-sources.ts'

const field = (row: string, reading?: number) => resource('Paths filter (performance replication)', row, reading)
const filterPath = '/sys/replication/performance/primary/paths-filter/:id'
const writing = performanceEndpoint(`POST ${filterPath}`)
const reading = performanceEndpoint(`GET ${filterPath}`, 8)
const deleting = performanceEndpoint(`DELETE ${filterPath}`)

export const filterRows: Rows = {
  ...must({
    'paths-filter.id-reported': [
      'The status of a performance secondary reports a `cluster_id`.',
      performanceEndpoint(`POST ${filterPath}`, 6),
    ],
    'paths-filter.allow': [
      'In allow mode the listed secret mounts are included for the secondary, and others are not.',
      field('mode', 7),
    ],
    'paths-filter.allow-auth': [
      'In allow mode the listed auth mounts are included for the secondary, and others are not.',
      field('mode', 7),
    ],
    'paths-filter.deny': [
      'In deny mode the listed mounts, secret and auth, are excluded for the secondary, and others are not.',
      field('mode', 7),
    ],
    'paths-filter.selected-secondary': [
      'A filter keeps nothing from another secondary than the one whose id it has.',
      field('mode', 7),
    ],
    'paths-filter.mode-default': ['Without `mode` a filter is in allow mode.', field('mode')],
    'paths-filter.mode-closed': ['The mode of a filter is never another than allow or deny.', field('mode')],
    'paths-filter.paths-default': ['Without `paths` a filter lists none.', field('paths')],
    'paths-filter.reads': ['GET returns the mode and the paths of a filter.', reading],
    'paths-filter.deletes': [
      'DELETE deletes a filter: it is returned no more, and what it kept away comes to the secondary.',
      deleting,
    ],
    'dynamic-filter.primary': [
      'The dynamic filter of a secondary can be read on the primary.',
      performanceEndpoint('GET /sys/replication/performance/primary/dynamic-filter/:id'),
    ],
    'dynamic-filter.secondary': [
      'The dynamic filter of a secondary can be read on the secondary.',
      performanceEndpoint('GET /sys/replication/performance/secondary/dynamic-filter/:id'),
    ],
  }),
  ...should({
    'paths-filter.mode-other-refused': [
      'POST of a filter with another mode than allow or deny is refused.',
      field('mode'),
    ],
    'paths-filter.replaces': ['POST of a filter that is there replaces its mode and paths.', writing],
    // "Must be re-created" may also be a duty of whoever set it.
    'paths-filter.ends-with-update-primary': [
      'A filter does not outlast the use of a new token with update-primary.',
      writing,
    ],
    'paths-filter.id-known': ['POST of a filter under an id that no secondary has is refused.', writing],
  }),
  ...left({
    'open.filter-namespaces': [
      'What a filter does to namespaces.',
      field('paths', 7),
      'Reading 7 would have them judged in deny mode, and no endpoint that makes one is described.',
    ],
    'open.filter-id': [
      'What the filters of a secondary are called whose status reports the `cluster_id` of its set.',
      performanceEndpoint(`POST ${filterPath}`, 6),
      'The id is read where it is reported (reading 6); filters are judged where it is not that of the primary, too.',
    ],
    'open.filter-none': ['What GET answers where no filter is set.', reading, '200 with an empty body is noted.'],
    'open.filter-paths-form': [
      'Whether paths come back with a trailing slash, in which order, and what paths without a mount do.',
      field('paths'),
      'Not stated.',
    ],
    'open.filter-delay': [
      'How soon a filter acts on a secondary that is connected.',
      writing,
      'Not stated: a target is given as long as it may take to settle.',
    ],
    'open.dynamic-filter': [
      'What a dynamic filter shows.',
      resource('Dynamic filter', 'The namespace and mount paths that are dynamically filtered'),
      'How something comes to be filtered dynamically is not described, and an empty body is noted.',
    ],
    'open.dynamic-filter-other-ids': [
      'What reading a dynamic filter answers under the id of no secondary.',
      resource('Dynamic filter', 'The namespace and mount paths that are dynamically filtered'),
      'Not stated.',
    ],
  }),
}

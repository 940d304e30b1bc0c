/** What document 2 leaves open about the plugin catalog, or states without a way to see it. */
import type { register, Source } from '../../harness/vocabulary/index.ts'
import { authentication, endpoint, error, limit, versioning } from './plugin-catalog-sources.ts'

const post = endpoint('POST /sys/plugins/catalog/:type/:name')

const open: Readonly<Record<string, readonly [says: string, source: Source, open: string]>> = {
  'open.status-codes': [
    'Which status a success or a refusal has, and what the body of a refusal looks like.',
    error('rule 3'),
    'Success is any 2xx, refusal any 4xx or 5xx.',
  ],
  'open.response-fields': [
    'Where in a reply its fields stand, and which it has besides.',
    { document: 2, section: 'Endpoints', row: 'Response bodies: not shown except where stated in the notes' },
    'Fields of a plugin are looked for by the names of the resource; a field that is not shown is not judged.',
  ],
  'open.builtins': [
    'Whether plugins that came with the server are listed, and what reading or deleting them does.',
    endpoint('GET /sys/plugins/catalog'),
    'No plugin is named.',
  ],
  'open.lists-sudo': [
    'Whether lists need sudo.',
    { ...authentication('rule 3'), reading: 27 },
    'Only register, read and delete are named.',
  ],
  'open.missing-file': [
    'Whether a command that is not in the plugin folder is refused at registration or at first use.',
    post,
    'Only that it is relative to the folder. Every check registers a file that is there.',
  ],
  'open.env-form': [
    'Whether an entry of `env` without `=` is refused.',
    post,
    'Entries are `key=value`; no validation is stated.',
  ],
  'open.reported-version': [
    'What becomes of a registration whose file reports a version of its own, another one or where none is given.',
    post,
    'Only what the request says is spoken of. Checks run with a file that reports none.',
  ],
  'open.versioned-lists': [
    'Whether plugins that were registered with a version are listed like those without, or beside them.',
    endpoint('LIST /sys/plugins/catalog/:type'),
    'Lists are of plugins by type; how a list tells several versions of one is not shown.',
  ],
  'open.version-form': [
    'Whether a version is kept with or without its leading `v`, and which of several is used by default.',
    post,
    'A leading `v` is not looked at.',
  ],
  'open.container-image': [
    'That a container is started from `oci_image` by `runtime`, with `version` as its tag, a leading `v` trimmed.',
    post,
    'Seen only inside a container runtime: no endpoint shows the image that is run.',
  ],
  'open.container-command': [
    'That `command`, relative to the working directory of the image, `args` and `env` update entrypoint, arguments and environment, which is only appended to.',
    post,
    'Seen only inside a container runtime.',
  ],
  'open.image-digest': [
    'That an image whose digest does not match cannot be run.',
    error('rule 2'),
    'Seen only with a container runtime; the digest of a file is judged.',
  ],
  'open.running': [
    'What becomes of mounts whose plugin is deleted or registered anew.',
    { document: 2, section: 'States and transitions', row: 'plugin registered, DELETE plugin' },
    'Not stated.',
  ],
  'open.unknown-delete': [
    'Whether DELETE of a plugin that is not registered succeeds.',
    endpoint('DELETE /sys/plugins/catalog/:type/:name'),
    'Not stated.',
  ],
  'open.token-header': ['The name of the header that carries a token.', authentication('rule 5'), 'Not shown.'],
  'open.form-detection': ['How a client tells which form a server has.', versioning('rule 2'), 'The profile says it.'],
  'open.rate-limits': ['How many requests are served in what time.', limit('Rate limits'), 'Not shown.'],
}

export const openRows: Parameters<typeof register>[1] = Object.fromEntries(
  Object.entries(open).map(([id, [says, source, why]]) => [id, { level: 'info', says, source, open: why }]),
)

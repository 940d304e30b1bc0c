import { type Applies, type Level, type Requirement, register, type Source } from '../../harness/vocabulary/index.ts'
import { openRows } from './plugin-catalog-open.ts'
import { authentication, endpoint, error, resource, versioning } from './plugin-catalog-sources.ts'

type Rows = Parameters<typeof register>[1]
type Row = readonly [says: string, source: Source, applies?: Applies]

const write = endpoint('POST /sys/plugins/catalog/:type/:name')
const read = endpoint('GET /sys/plugins/catalog/:type/:name?version=:version')
const remove = endpoint('DELETE /sys/plugins/catalog/:type/:name?version=:version')
const purpose: Source = { document: 2, section: 'What the service does', row: 'The plugin catalog' }

const levelled = (level: Level, rows: Readonly<Record<string, Row>>): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([id, [says, source, applies]]) => [
      id,
      { level, says, source, ...(applies ? { applies } : {}) },
    ]),
  )

const ofTypes: Readonly<Record<string, Row>> = Object.fromEntries(
  (['auth', 'database', 'secret'] as const).flatMap((type) => [
    [
      `list.${type}`,
      [
        `LIST of ${type} names the registered plugins of that type, and none of another or that was deleted.`,
        endpoint(`LIST /sys/plugins/catalog/${type}`),
      ],
    ],
    [`register.${type}`, [`POST registers a plugin of type ${type}, which GET then returns.`, write]],
  ]),
)

const needing: Readonly<Record<string, Row>> = Object.fromEntries(
  (['register', 'read', 'delete'] as const).flatMap((deed) => [
    [`${deed}.needs-sudo`, [`To ${deed} a plugin needs sudo.`, authentication('rule 3', 28)]],
    [
      `${deed}.needs-path-capability`,
      [`To ${deed} a plugin needs the capability of the path besides sudo.`, authentication('rule 3', 28)],
    ],
  ]),
)

const newer: Applies = { form: { 'plugin-catalog': 'newer' } }
const older: Applies = { form: { 'plugin-catalog': 'older' } }

export const pluginCatalog: readonly Requirement[] = register('plugin-catalog', {
  ...levelled('must', {
    'catalog.by-type': [
      'GET of the catalog lists registered plugins, each under its type and under no other.',
      endpoint('GET /sys/plugins/catalog'),
    ],
    ...ofTypes,
    'register.updates': ['POST on a registered name updates the plugin.', write],
    'addressed-by.type': ['Plugins of one name and of different types are different plugins.', purpose],
    'addressed-by.name': ['The name of a plugin is the one in the URL.', write],
    'read.returns-named': ['GET returns the plugin asked for, and not another.', read],
    'read.by-version': ['GET with `version` returns the plugin of that version, and no other.', read],
    'read.version-required': ['A plugin that was registered with a version is not read without it.', read],
    'delete.removes': ['DELETE removes a plugin: it is no longer returned, listed or used.', remove],
    'delete.by-version': ['DELETE with `version` removes that version and leaves others.', remove],
    'sha256.required': ['A POST without `sha256` is refused.', write],
    'sha256.kept': ['What a plugin shows as `sha256` is what it was given.', resource],
    'command.required': ['A POST without `command` is refused.', write],
    'version.optional': ['A plugin can be registered without a version.', write],
    'version.semantic': ['`version` takes semantic versions, with and without a pre-release part.', write],
    'version.kept': ['What a plugin shows as `version` is what it was given.', resource],
    'version.several': ['Several versions of one plugin can be registered.', purpose],
    'args.kept': ['What a plugin shows as `args` is what it was given.', resource],
    'args.default': ['Without `args` a plugin has none.', write],
    'oci-image.default': ['Without `oci_image` a plugin has none.', write],
    'runtime.default': ['Without `runtime` a plugin has none.', write],
    ...needing,
    'use.registered-first': ['A plugin must be registered before it is used.', purpose],
    'digest.mismatch-cannot-run': ['A plugin whose file does not match `sha256` cannot be run.', error('rule 2')],
  }),
  ...levelled('should', {
    // An environment can hold secrets: many a server shows none, and no reply is documented to.
    'env.kept': ['What a plugin shows of `env` is what it was given.', resource],
    'env.default': ['Without `env` a plugin has none.', write],
    // Whether the placed file is a plugin at all is the operator's word.
    'use.registered': ['A registered plugin whose file matches its digest can be used.', purpose],
    'version.malformed-refused': ['A POST with a `version` that is no semantic version is refused.', write],
    'type.other-refused': ['A POST under another type than the three is refused.', write],
    'command.relative': ['A command that leads out of the plugin folder is refused.', write],
    'command.program-only': ['A command that holds arguments is refused where `args` holds some.', write],
    'oci-image.kept': ['What a plugin shows as `oci_image` is what it was given.', resource, newer],
    'runtime.kept': ['What a plugin shows as `runtime` is what it was given.', resource, newer],
    'form.older': ['The older form has neither `oci_image` nor `runtime`.', versioning('rule 2'), older],
  }),
  ...openRows,
})

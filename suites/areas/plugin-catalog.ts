import { pluginCatalog } from '../../fixtures/api/plugin-catalog.ts'
import { areaOf } from '../area.ts'
import access from '../plugin-catalog/access.ts'
import errors from '../plugin-catalog/errors.ts'
import fields from '../plugin-catalog/fields.ts'
import fieldsUnusual from '../plugin-catalog/fields-unusual.ts'
import transitions from '../plugin-catalog/transitions.ts'
import transitionsImages from '../plugin-catalog/transitions-images.ts'
import transitionsMany from '../plugin-catalog/transitions-many.ts'
import transitionsVersions from '../plugin-catalog/transitions-versions.ts'
import versions from '../plugin-catalog/versions.ts'

/** The suite of this area, with its topics in reading order. */
export default areaOf(
  pluginCatalog,
  [
    transitions,
    transitionsVersions,
    transitionsImages,
    transitionsMany,
    fields,
    fieldsUnusual,
    errors,
    access,
    versions,
  ],
  {
    frames: [
      {
        written: /^POST sys\/plugins\/catalog\/\w+\/[^/]+$/,
        gone: 'plugin-catalog.read.returns-named',
        changed: () => 'plugin-catalog.read.returns-named',
      },
    ],
  },
)

import { field, topic } from '../../harness/vocabulary/index.ts'
import { bodyOf, check, placedFile, read, registered, returned } from './given.ts'
import { empty } from './then.ts'

/** A server of the older form may ignore fields that this form does not have. */
const unknown = { oci_image: 'registry.example/assay/plugin', runtime: 'assay-runtime' }

const checks = (['oci_image', 'runtime'] as const).map((name) => {
  const word = name.replace('_', '-')
  return check(`older-form-has-no-${word}`, {
    requirement: `plugin-catalog.form.older.${word}`,
    given: [placedFile, registered('secret', bodyOf({ [name]: unknown[name] })), returned()],
    when: read('secret'),
    then: [field(name, empty)],
  })
})

export default topic('plugin-catalog/versions', {
  about: 'The fields that the older form of registration lacks.',
  names: ['plugin'],
  checks,
})

import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makePluginFolder, sha256 } from '../../test-beds/plugin-folder.test-bed.ts'
import { openServer } from '../../test-beds/policies.test-bed.ts'
import { shared } from '../../test-beds/shared.test-bed.ts'

const folder = makePluginFolder()
afterAll(() => folder.remove())
const server = shared(await openServer({ pluginDirectory: folder.path }))

const at = 'sys/plugins/catalog'
const good = { sha256, command: 'good' }
const register = (path: string, body: object = good, as?: string) => server.ask(`POST ${at}/${path}`, body, as)
const statusOf = async (line: string, body?: object, as?: string) => (await server.ask(line, body, as)).status

describe('a registration', () => {
  test('accepts the whole command line as command if args is empty', async () => {
    await register('secret/p', { ...good, command: 'good --a  b' })
    expect((await server.ask(`GET ${at}/secret/p`)).data).toMatchObject({ command: 'good', args: ['--a', 'b'] })
  })

  const image = { ...good, command: 'serve', oci_image: 'registry.example/img', runtime: 'gvisor', version: 'v1.2.3' }
  test('with an image needs no file', async () => {
    expect((await register('secret/p', image)).status).toBe(204)
    expect((await server.ask(`GET ${at}/secret/p?version=1.2.3`)).data).toMatchObject(image)
    const mounted = await server.ask('POST sys/mounts/m', { type: 'p' })
    expect(mounted.errors).toEqual(['no such image: registry.example/img:1.2.3'])
  })

  test('with an image runs that image, and appends its own command, arguments and environment', async () => {
    const images = await openServer({
      pluginImages: {
        'registry.example/img:1.2.3': { sha256, entrypoint: ['/init'], args: ['-i'], env: ['A=1'] },
        'registry.example/img:1.2.4': { sha256: 'ff' },
      },
    })
    const started = { args: ['--a'], env: ['B=2'] }
    await images.ask(`POST ${at}/secret/p`, { ...image, ...started })
    expect((await images.ask('POST sys/mounts/m', { type: 'p' })).status).toBe(204)
    expect((await images.ask('GET m/x')).data.plugin).toMatchObject({
      container: {
        image: 'registry.example/img:1.2.3',
        entrypoint: ['/init', 'serve'],
        args: ['-i', '--a'],
        env: ['A=1', 'B=2'],
        runtime: 'gvisor',
      },
    })
    await images.ask(`POST ${at}/secret/p`, { ...image, version: '1.2.4' })
    expect((await images.ask('POST sys/mounts/n', { type: 'p' })).errors).toEqual([
      expect.stringContaining('checksums did not match'),
    ])
    await images.close()
  })

  test('needs a plugin directory', async () => {
    const bare = await openServer()
    expect((await bare.ask(`POST ${at}/secret/p`, good)).errors).toEqual([
      'could not set plugin, plugin directory is not configured',
    ])
    await bare.close()
  })
})

describe('a refused registration stores nothing:', () => {
  const wrong: Readonly<Record<string, object>> = {
    'a digest that is not hexadecimal': { ...good, sha256: 'zz' },
    'half a byte of digest': { ...good, sha256: 'abc' },
    'a version with a leading zero': { ...good, version: '1.02.3' },
    'a version as long as a book': { ...good, version: `1.2.3-${'a'.repeat(100_000)}` },
    'env that is not an assignment': { ...good, env: ['novalue'] },
    'env without a key': { ...good, env: ['=value'] },
    'args that are numbers': { ...good, args: [1] },
    'a missing file': { ...good, command: 'none' },
    'a parent folder inside the path': { ...good, command: 'folder/../../outside' },
    'a folder whose name begins like the directory': { ...good, command: '../plugins-beside/near' },
    'an absolute path': { ...good, command: '/bin/sh' },
    'a folder': { ...good, command: 'folder' },
    'the directory itself': { ...good, command: '.' },
    'a link to outside': { ...good, command: 'link-out' },
    'a folder link to outside': { ...good, command: 'folder-out/near' },
    'a link to itself': { ...good, command: 'loop' },
    'a zero byte': { ...good, command: 'good\0' },
    'a name as long as a book': { ...good, command: 'a'.repeat(100_000) },
    backslashes: { ...good, command: '..\\outside' },
    'a list as command': { ...good, command: ['good'] },
    'a digest that is an object': { ...good, sha256: {} },
  }
  test.each(Object.entries(wrong))('%s', async (_, body) => {
    const { status } = await register('secret/p', body)
    expect(status).toBe(400)
    expect(await statusOf(`GET ${at}/secret/p`)).toBe(404)
  })

  test('a socket as command', async () => {
    const socket = createServer().listen(join(folder.path, 'socket'))
    await once(socket, 'listening')
    expect((await register('secret/p', { ...good, command: 'socket' })).status).toBe(400)
    socket.close()
  })

  test.each(['__proto__', 'constructor', 'other', 'Auth'])('the type %s', async (type) => {
    expect((await register(`${type}/p`)).status).toBe(400)
    expect(await statusOf(`LIST ${at}/${type}`)).toBe(400)
  })

  test.each(['__proto__', 'constructor', 'toString'])('plugin %s exists only once it is registered', async (name) => {
    expect(await statusOf(`GET ${at}/secret/${name}`)).toBe(404)
    expect((await register(`secret/${name}`)).status).toBe(204)
    expect((await server.ask(`GET ${at}/secret/${name}`)).data.name).toBe(name)
  })
})

describe('versions', () => {
  test('a mount runs the requested one, or else the one without a version, or else the newest', async () => {
    for (const version of ['1.10.0', '1.9.0', '2.0.0-rc.1']) await register('secret/p', { ...good, version })
    const runs = async (body: object) => {
      await server.ask('POST sys/mounts/m', { type: 'p', ...body })
      const { data } = await server.ask('GET m/x')
      await server.ask('DELETE sys/mounts/m')
      return data.plugin
    }
    expect(await runs({})).toEqual({ name: 'p', version: 'v2.0.0-rc.1' })
    expect(await runs({ plugin_version: '1.9.0' })).toEqual({ name: 'p', version: 'v1.9.0' })
    expect(await runs({ config: { plugin_version: 'v1.10.0' } })).toEqual({ name: 'p', version: 'v1.10.0' })
    expect(await statusOf('POST sys/mounts/m', { type: 'p', plugin_version: '9.9.9' })).toBe(400)
    await register('secret/p', good)
    expect(await runs({})).toEqual({ name: 'p', version: '' })
  })
})

describe('a mount', () => {
  test('of a registered plugin responds, also after the registration is deleted', async () => {
    await register('secret/p')
    await register('auth/q')
    expect(await statusOf('POST sys/mounts/m', { type: 'p' })).toBe(204)
    expect(await statusOf('POST sys/auth/m', { type: 'q' })).toBe(204)
    await server.ask(`DELETE ${at}/secret/p`)
    expect(await statusOf('GET m/status')).toBe(200)
    expect(await statusOf('GET auth/m/status')).toBe(200)
    expect(await statusOf('POST sys/mounts/n', { type: 'p' })).toBe(400)
  })

  test.each(['f'.repeat(64), '', sha256.slice(2), `${sha256}00`])(
    'is refused if the digest is "%s"',
    async (digest) => {
      await register('secret/p', { ...good, sha256: digest })
      expect(await statusOf('POST sys/mounts/m', { type: 'p' })).toBe(400)
      expect(await statusOf('GET m/status')).toBe(404)
    },
  )

  test('accepts a digest in capitals, a file in a folder and a link inside the directory', async () => {
    for (const command of ['good', 'folder/inner', 'link-in']) {
      await register('secret/p', { sha256: sha256.toUpperCase(), command })
      expect(await statusOf(`POST sys/mounts/${command.replace('/', '-')}`, { type: 'p' })).toBe(204)
    }
  })

  test('runs a registered plugin rather than the builtin of that name, also if plugin_name names it', async () => {
    await register('secret/kv', { ...good, sha256: 'ff' })
    expect(await statusOf('POST sys/mounts/m', { type: 'kv' })).toBe(400)
    await register('secret/kv', good)
    expect(await statusOf('POST sys/mounts/m', { type: 'plugin', plugin_name: 'kv' })).toBe(204)
    expect((await server.ask('GET m/x')).data.plugin).toEqual({ name: 'kv', version: '' })
  })
})

describe('builtins', () => {
  test('are listed and read, and cannot be deleted', async () => {
    expect((await server.ask(`LIST ${at}/secret`)).data.keys).toContain('kv')
    expect((await server.ask(`GET ${at}`)).data.auth).toContain('userpass')
    await server.ask(`DELETE ${at}/secret/kv`)
    expect((await server.ask(`GET ${at}/secret/kv`)).data).toMatchObject({ builtin: true, name: 'kv' })
    expect(await statusOf(`GET ${at}/auth/kv`)).toBe(404)
  })
})

/** Loads packages that are optional peer dependencies, because few users need them. */
import { Refusal } from './http/refusal.ts'

/** Loads a package. If it is not installed, the request is refused with a message that names `use`, what needs the
 * package, and the command that installs it. */
export async function optionalPackage<Package>(
  name: string,
  use: string,
  load: () => Promise<Package>,
): Promise<Package> {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error
    throw new Refusal('not-installed', {
      message: `${use} needs the package ${name} beside this reference server: npm i -D ${name}`,
    })
  }
}

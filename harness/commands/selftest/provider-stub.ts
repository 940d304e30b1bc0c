import { startProvider } from '../../../fixtures/servers/provider/index.ts'

type Provides = { readonly provider: { readonly iam: string; readonly sts: string; readonly control: string } }

/** Starts the stub of a cloud provider while a proof needs it. */
export async function withProviderStub<T>(prove: (provides: Provides) => Promise<T>): Promise<T> {
  const { iam, sts, control, close } = await startProvider()
  try {
    return await prove({ provider: { iam, sts, control } })
  } finally {
    await close()
  }
}

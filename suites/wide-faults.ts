/** Faults that contradict more rows than one flaw should, with the reason. An excuse that is not needed is refused. */
interface WideFault {
  readonly fault: string
  readonly reason: string
}

export const wideFaults: readonly WideFault[] = []

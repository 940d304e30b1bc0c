/** The colour of each verdict, on light and on dark. They differ for readers with each common kind of colour blindness, as
 * a test computes, and an icon always stands beside them. */
export const verdictColour = {
  pass: ['#1a6a4d', '#52db97'],
  fail: ['#ad0c0e', '#f0694e'],
  warn: ['#9b6c04', '#fae13d'],
  error: ['#620e40', '#fccfef'],
  accepted: ['#912ffa', '#8e60fb'],
  'not-verified': ['#1565ae', '#5da7fb'],
  'not-applicable': ['#6b7480', '#98a2ad'],
} as const

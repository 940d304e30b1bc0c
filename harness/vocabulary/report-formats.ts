/** The formats of reports. */
export const reportFormats = [
  'html',
  'json',
  'junit',
  'markdown',
  'sarif',
  'codequality',
  'github',
  'badge',
  'openmetrics',
  'coverage',
  'allure',
] as const
export type ReportFormat = (typeof reportFormats)[number]

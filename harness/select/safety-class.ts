/** Compares the safety class of a check with the highest class that a run allows. */
import { type Check, type SafetyClass, safetyClasses, type Topic } from '../vocabulary/index.ts'

export const safetyOf = (topic: Pick<Topic, 'safety'>, check: Pick<Check, 'safety'>): SafetyClass =>
  check.safety ?? topic.safety

export const isAbove = (safety: SafetyClass, ceiling: SafetyClass): boolean =>
  safetyClasses.indexOf(safety) > safetyClasses.indexOf(ceiling)

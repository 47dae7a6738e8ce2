import {
  auditEntrySchema,
  componentChoiceSchema,
  componentDescriptorSchema,
  errorBodySchema,
  groupedAuditEntrySchema,
  importProgressSchema,
  orderSummarySchema,
  paginationSchema,
  ruleDataSchema,
  ruleRecordSchema,
  saveResultSchema,
  testResultSchema,
  violationSchema,
} from '@order-automation/contracts';
import { z } from 'zod';
import { ruleSaveForms } from '../routes/rules/rule-data';
import { shownOrderSchema, shownOrderWithNotesSchema } from '../routes/shop/shown-order';

export const errorSchema = errorBodySchema.extend({
  data: z.looseObject({
    status: z.int(),
    violations: z.array(violationSchema).optional(),
    violations_omitted: z.int().optional(),
  }),
});

/** Schemas that stand once in the document and are referred to by these names. */
export const namedSchemas: ReadonlyMap<z.ZodType, string> = new Map<z.ZodType, string>([
  [auditEntrySchema, 'AuditEntry'],
  [groupedAuditEntrySchema, 'AuditProcessRow'],
  [componentChoiceSchema, 'ComponentChoice'],
  [componentDescriptorSchema, 'ComponentDescriptor'],
  [errorSchema, 'Error'],
  [shownOrderSchema, 'Order'],
  [shownOrderWithNotesSchema, 'OrderWithNotes'],
  [importProgressSchema, 'ImportProgress'],
  [orderSummarySchema, 'OrderSummary'],
  [paginationSchema, 'Pagination'],
  [ruleDataSchema, 'RuleData'],
  [ruleRecordSchema, 'RuleRecord'],
  [ruleSaveForms, 'RuleSave'],
  [saveResultSchema, 'SaveResult'],
  [testResultSchema, 'TestResult'],
  [violationSchema, 'Violation'],
]);

import { builtInComponents, createRegistry, validateRule } from '@order-automation/engine';
import { ruleWarnings } from './conflicts/rule-warnings';
import { listTemplates, templateOf, templates } from './templates';

const registry = createRegistry(builtInComponents);

test.each(templates.map((template) => [template.id, template] as const))('%s is a rule that fits', (id, template) => {
  expect(validateRule(template.rule, 'extended', registry)).toEqual({ ok: true, rule: template.rule });
  expect(ruleWarnings({ id: 1, name: template.name, rule: template.rule }, registry)).toEqual([]);
  expect(templateOf(id)).toBe(template);
});

test('a dozen at least, each id once, half of them without a licence', async () => {
  expect(templates.length).toBeGreaterThanOrEqual(12);
  expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length);
  const listed = (await listTemplates('default', registry)).templates;
  expect(listed.filter(({ accessible }) => accessible).length).toBeGreaterThanOrEqual(6);
  expect(listed.every(({ accessible, capability }) => accessible === (capability === 'default'))).toBe(true);
  expect((await listTemplates('extended', registry)).templates.every(({ accessible }) => accessible)).toBe(true);
});

test('an unknown template names the one that was meant', () => {
  expect(() => templateOf('tag-dispute')).toThrow(
    expect.objectContaining({
      status: 400,
      data: {
        violations: [{ path: 'template', message: 'there is no template tag-dispute; did you mean tag-disputes?' }],
      },
    }),
  );
});

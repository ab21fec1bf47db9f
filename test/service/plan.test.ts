import { test } from 'tap'
import { resources } from '../../src/lists/resources.ts'
import { unsortableField } from '../../src/service/plan.ts'

test('every list has a field by which it is not sorted', async t => {
  for (const resource of resources.filter(({ access }) => access === 'public')) {
    const field = unsortableField(resource)
    t.ok(field in resource.record.properties, resource.key)
    t.notOk(resource.sortable.includes(field), resource.key)
  }
})

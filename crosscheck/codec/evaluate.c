/* Conditions and sums over the values of a struct. */
#include "codec.h"

#include <assert.h>

#define SUM_MAX (UINT64_C(1) << 62)

/* The generator refuses deeper conditions. */
enum { DEPTH_MAX = 16 };

size_t xc_child(const struct xc_tree *tree, size_t parent, size_t index)
{
    size_t place = parent + 1;

    while (index-- > 0)
        place = tree->values[place].next;
    return place;
}

static uint64_t sum_over(const struct xc_step *step, const struct xc_tree *tree, size_t parent)
{
    size_t list = xc_child(tree, parent, (size_t)step->value);
    size_t item = list + 1;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < tree->values[list].number; i++) {
        uint64_t more = xc_evaluate(step->inner, tree, item);
        sum = more >= SUM_MAX - sum ? SUM_MAX : sum + more;
        item = tree->values[item].next;
    }
    return sum;
}

static uint64_t operate(enum xc_op op, uint64_t a, uint64_t b)
{
    switch (op) {
    case XC_ADD: return a + b;
    case XC_SUBTRACT: return a - b;
    case XC_MULTIPLY: return a * b;
    case XC_EQUAL: return a == b;
    case XC_UNEQUAL: return a != b;
    case XC_LESS: return a < b;
    case XC_AT_MOST: return a <= b;
    case XC_MORE: return a > b;
    case XC_AT_LEAST: return a >= b;
    case XC_AND: return a && b;
    case XC_OR: return a || b;
    case XC_IMPLIES: return !a || b;
    default: break;
    }
    assert(!"an operator of two numbers");
    return 0;
}

static uint64_t operand(const struct xc_step *step, const struct xc_tree *tree, size_t parent)
{
    if (step->op == XC_NUMBER)
        return step->value;
    if (step->op == XC_SUM)
        return sum_over(step, tree, parent);
    const struct xc_value *value = &tree->values[xc_child(tree, parent, (size_t)step->value)];
    return step->op == XC_FIELD ? value->number : value->size;
}

uint64_t xc_evaluate(const struct xc_step *steps, const struct xc_tree *tree, size_t parent)
{
    uint64_t stack[DEPTH_MAX];
    size_t n = 0;

    for (; steps->op != XC_END; steps++) {
        assert(n < DEPTH_MAX);
        if (steps->op <= XC_SUM) {
            stack[n++] = operand(steps, tree, parent);
        } else if (steps->op == XC_NOT) {
            stack[n - 1] = !stack[n - 1];
        } else {
            n--;
            stack[n - 1] = operate(steps->op, stack[n - 1], stack[n]);
        }
    }
    return stack[0];
}

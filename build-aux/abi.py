# SPDX-License-Identifier: BSD-3-Clause
# abi.py - what abi.sh asks gdb for: types of functions, layouts of structures, values of constants.

"""
gdb reads it, with the folder that abi.sh has filled in ABI_FOLDER. There are two objects, int.o and
size_t.o, one for each interface: type_of_NAME is a pointer to the function that the linker knows as
NAME, and enum constants has a value for each constant. Beside them are int.symbols with lines "NAME
VERSION", and int.types with names of structures and enums; and the same for size_t.

A type is written without typedefs, as a caller is compiled with what these stand for.
"""

import os

import gdb


def plain(of):
    """A type in words of C, with no name of a typedef in it."""
    if of.code == gdb.TYPE_CODE_TYPEDEF:
        return plain(of.strip_typedefs())
    if of.code == gdb.TYPE_CODE_PTR:
        target = of.target().strip_typedefs()
        if target.code == gdb.TYPE_CODE_FUNC:
            return f"{plain(target.target())} (*)({parameters(target)})"
        text = plain(target)
        if target.code == gdb.TYPE_CODE_PTR and target == target.const():
            text += "const "
        return text + ("*" if text[-1] in "* " else " *")
    if of.code == gdb.TYPE_CODE_ARRAY:
        return f"{plain(of.target())} [{of.range()[1] + 1}]"
    name = str(of.unqualified())
    return "const " + name if of == of.const() else name


def parameters(function):
    names = [plain(field.type) for field in function.fields()]
    if str(function).endswith("...)"):
        names.append("...")
    # How va_list is made is the machine's business.
    return ", ".join(names).replace("struct __va_list_tag *", "va_list") or "void"


def words_of(name):
    with open(os.path.join(os.environ["ABI_FOLDER"], name), encoding="ascii") as lines:
        return [line.split() for line in lines]


def show_function(name, version):
    of = gdb.parse_and_eval("type_of_" + name).type.target()
    print(f"{name} {version} {plain(of.target())} ({parameters(of)})")


def show_layout(keyword, name):
    name = f"{keyword} {name}"
    of = gdb.lookup_type(name)
    if of.code == gdb.TYPE_CODE_ENUM:
        for field in of.fields():
            print(f"{name}.{field.name}: {field.enumval}")
        return
    print(f"{name}: {of.sizeof} bytes")
    for field in of.fields():
        print(f"{name}.{field.name}: {plain(field.type)} at {field.bitpos // 8}")


for interface in "int", "size_t":
    gdb.execute("file " + os.path.join(os.environ["ABI_FOLDER"], interface + ".o"))
    for words in words_of(interface + ".symbols"):
        show_function(*words)
    for words in words_of(interface + ".types"):
        show_layout(*words)
    for value in gdb.lookup_type("enum constants").fields():
        print(f"{value.name.removeprefix('value_of_')}: {value.enumval}")

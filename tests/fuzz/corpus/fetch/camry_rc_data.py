from ansys.dyna.core.pre import ShellFormulation

shellsec = [[1, 0.8, ShellFormulation.FULLY_INTEGRATED], [2, 1.2, ShellFormulation.FULLY_INTEGRATED]]
spotwelds = [[1, 2], [3, 4]]
rigid = [(5, 6, 7)]
